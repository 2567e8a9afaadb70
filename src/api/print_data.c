// mj_printData: an mjData as text for people. Memory, counts, warnings, timers, solver; then every
// array that is not empty under its name in capitals, in the order of the struct. Matrices with a
// known structure are printed by rows and columns; all else comes straight from the schema.

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "api/printer.h"

enum { NAME_BYTES = 64 };

static const char* capitals(char* to, const char* name) {
  size_t i = 0;
  for (; name[i] && i + 1 < NAME_BYTES; i++) to[i] = (char)toupper((unsigned char)name[i]);
  to[i] = 0;
  return to;
}

static void print_memory(ct_Printer* p, const mjData* d) {
  fprintf(p->out, "MEMORY\n");
  ct_print_memory(p, "total", sizeof(mjData) + (size_t)d->nbuffer + (size_t)d->narena);
  ct_print_memory(p, "struct", sizeof(mjData));
  ct_print_memory(p, "buffer", (size_t)d->nbuffer);
  double used = d->narena ? 100.0 * (double)d->maxuse_arena / (double)d->narena : 0;
  fprintf(p->out, "  %-12s%7.0f KB, used %.1f%%\n", "arena", (double)d->narena / 1024, used);
}

// The single integers of the struct.
static void print_counts(ct_Printer* p, const mjData* d) {
  fprintf(p->out, "\nSIZES\n");
  for (int i = 0; i < ct_ndata_value; i++) {
    const ct_Member* v = ct_data_values + i;
    const char* at = (const char*)d + v->offset;
    long long n;
    if (v->bytes != v->element) continue;
    if (!strcmp(v->type, "int"))
      n = *(const int*)at;
    else if (!strcmp(v->type, "mjtByte"))
      n = *(const mjtByte*)at;
    else if (!strcmp(v->type, "mjtSize"))
      n = *(const mjtSize*)at;
    else if (!strcmp(v->type, "uintptr_t"))
      n = *(const uintptr_t*)at != 0;  // whether there is a thread pool
    else
      continue;
    fprintf(p->out, "  %-21s %lld\n", v->name, n);
  }
}

static void print_events(ct_Printer* p, const mjData* d) {
  bool warned = false, timed = false;
  for (int i = 0; i < mjNWARNING; i++) warned = warned || d->warning[i].number;
  for (int i = 0; i < mjNTIMER; i++) timed = timed || d->timer[i].duration > 0;
  if (warned) fprintf(p->out, "\nWARNING\n");
  for (int i = 0; i < mjNWARNING; i++) {
    if (d->warning[i].number) {
      fprintf(p->out, "  %d:  lastinfo = %d   number = %d\n", i, d->warning[i].lastinfo,
              d->warning[i].number);
    }
  }
  if (timed) fprintf(p->out, "\nTIMER\n");
  for (int i = 0; i < mjNTIMER && timed; i++) {
    fprintf(p->out, "  %3d:  duration = ", i);
    ct_print_number(p, (double)d->timer[i].duration);
    fprintf(p->out, "  number = %d\n", d->timer[i].number);
  }
}

static void print_iteration(ct_Printer* p, const mjSolverStat* s, int i) {
  fprintf(p->out, "    %3d:  improvement = ", i);
  ct_print_number(p, (double)s->improvement);
  fprintf(p->out, "   gradient = ");
  ct_print_number(p, (double)s->gradient);
  fprintf(p->out, "   lineslope = ");
  ct_print_number(p, (double)s->lineslope);
  fprintf(p->out, "\n          nactive = %d   nchange = %d   neval = %d   nupdate = %d\n",
          s->nactive, s->nchange, s->neval, s->nupdate);
}

static void print_solver(ct_Printer* p, const mjData* d) {
  if (!d->nefc) return;
  fprintf(p->out, "\nSOLVER STAT\n  solver_fwdinv = ");
  ct_print_numbers(p, d->solver_fwdinv, 2);
  fputc('\n', p->out);
  int islands = d->nisland < 1 ? 1 : d->nisland < mjNISLAND ? d->nisland : mjNISLAND;
  for (int k = 0; k < islands; k++) {
    if (d->nisland) fprintf(p->out, "  ISLAND %d\n", k);
    fprintf(p->out, "    solver_niter = %d\n    solver_nnz = %d\n", d->solver_niter[k],
            d->solver_nnz[k]);
    for (int i = 0; i < d->solver_niter[k] && i < mjNSOLVER; i++) {
      print_iteration(p, d->solver + mjNSOLVER * k + i, i);
    }
  }
}

static void print_buffer(ct_Printer* p, const char* what, int id, const char* name,
                         const mjtNum* buf, int n, int dim) {
  fprintf(p->out, "  %s %d '%s':\n    phase  = ", what, id, name ? name : "");
  ct_print_number(p, (double)buf[0]);
  int cursor = fabs((double)buf[1]) < 2147483648.0 ? (int)buf[1] : INT_MIN;
  fprintf(p->out, "\n    cursor =  %d\n    times  = ", cursor);
  ct_print_numbers(p, buf + 2, n);
  fprintf(p->out, "\n    values%s", dim == 1 ? " = " : ":\n");
  if (dim == 1) ct_print_numbers(p, buf + 2 + n, n);
  for (int i = 0; i < n && dim != 1; i++) {
    fprintf(p->out, "      [%d] = ", i);
    ct_print_numbers(p, buf + 2 + n + (size_t)i * (size_t)dim, dim);
    if (i + 1 < n) fputc('\n', p->out);
  }
  fputc('\n', p->out);
}

static void print_history(ct_Printer* p, const mjModel* m, const mjData* d) {
  fprintf(p->out, "DELAY\n");
  for (int i = 0; i < m->nu; i++) {
    int n = m->actuator_history[2 * i];
    if (n > 0) {
      print_buffer(p, "actuator", i, mj_id2name(m, mjOBJ_ACTUATOR, i),
                   d->history + m->actuator_historyadr[i], n, 1);
    }
  }
  for (int i = 0; i < m->nsensor; i++) {
    int n = m->sensor_history[2 * i];
    if (n > 0) {
      print_buffer(p, "sensor", i, mj_id2name(m, mjOBJ_SENSOR, i),
                   d->history + m->sensor_historyadr[i], n, m->sensor_dim[i]);
    }
  }
  fputc('\n', p->out);
}

static void print_line(ct_Printer* p, const char* name, const mjtNum* x, int n) {
  fprintf(p->out, "     %-13s ", name);
  ct_print_numbers(p, x, n);
  fputc('\n', p->out);
}

// What touches on one side of a contact.
static void print_side(ct_Printer* p, const mjModel* m, const mjContact* c, int side) {
  int geom = c->geom[side], flex = c->flex[side];
  const char* name = geom >= 0 ? mj_id2name(m, mjOBJ_GEOM, geom) : mj_id2name(m, mjOBJ_FLEX, flex);
  if (geom >= 0 && name)
    fprintf(p->out, "%s", name);
  else if (geom >= 0)
    fprintf(p->out, "%d", geom);
  else if (name)
    fprintf(p->out, "flex %s", name);
  else
    fprintf(p->out, "flex %d", flex);
  if (geom < 0 && c->elem[side] >= 0) fprintf(p->out, " elem %d", c->elem[side]);
  if (geom < 0 && c->vert[side] >= 0) fprintf(p->out, " vert %d", c->vert[side]);
}

static void print_contacts(ct_Printer* p, const mjModel* m, const mjData* d) {
  fprintf(p->out, "CONTACT\n");
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* c = d->contact + i;
    fprintf(p->out, "  %d:\n     dim           %d\n     geoms         ", i, c->dim);
    print_side(p, m, c, 0);
    fprintf(p->out, " : ");
    print_side(p, m, c, 1);
    fprintf(p->out, "\n     exclude       %d\n     efc_address   %d\n", c->exclude, c->efc_address);
    print_line(p, "solref", c->solref, mjNREF);
    print_line(p, "solreffriction", c->solreffriction, mjNREF);
    print_line(p, "solimp", c->solimp, mjNIMP);
    print_line(p, "dist", &c->dist, 1);
    print_line(p, "includemargin", &c->includemargin, 1);
    print_line(p, "pos", c->pos, 3);
    print_line(p, "frame", c->frame, 9);
    print_line(p, "friction", c->friction, 5);
    print_line(p, "mu", &c->mu, 1);
  }
  fputc('\n', p->out);
}

// The lower triangle of the inertia matrix from its legacy layout: a dof and its ancestors,
// upwards.
static void print_legacy_inertia(ct_Printer* p, const mjModel* m, const mjData* d) {
  fprintf(p->out, "QM\n");
  for (int i = 0; i < m->nv; i++) {
    int adr = m->dof_Madr[i];
    fputs("  ", p->out);
    for (int j = i; j >= 0; j = m->dof_parentid[j]) {
      fprintf(p->out, "  %3d: ", j);
      ct_print_number(p, (double)d->qM[adr++]);
    }
    fputc('\n', p->out);
  }
  fputc('\n', p->out);
}

// Matrices whose rows and columns are known. Returns false if the field is not one of them.
static bool print_matrix(ct_Printer* p, const mjModel* m, const mjData* d, const ct_Field* f) {
  char title[NAME_BYTES];
  const mjtNum* value = (const mjtNum*)ct_field_array(f, d);
  size_t at = f->offset;
  capitals(title, f->name);
  if (at == offsetof(mjData, qM)) {
    print_legacy_inertia(p, m, d);
  } else if (at == offsetof(mjData, M) || at == offsetof(mjData, qLD) ||
             at == offsetof(mjData, qH)) {
    ct_print_sparse(p, title, value, m->nC, m->nv, m->M_rownnz, m->M_rowadr, m->M_colind);
  } else if (at == offsetof(mjData, qDeriv) || at == offsetof(mjData, qLU)) {
    ct_print_sparse(p, title, value, m->nD, m->nv, m->D_rownnz, m->D_rowadr, m->D_colind);
  } else if (at == offsetof(mjData, actuator_moment)) {
    ct_print_sparse(p, title, value, m->nJmom, m->nu, d->moment_rownnz, d->moment_rowadr,
                    d->moment_colind);
  } else if (at == offsetof(mjData, flexedge_J)) {
    ct_print_sparse(p, title, value, m->nJfe, m->nflexedge, m->flexedge_J_rownnz,
                    m->flexedge_J_rowadr, m->flexedge_J_colind);
  } else if (at == offsetof(mjData, ten_J) && mj_isSparse(m)) {
    ct_print_sparse(p, title, value, m->ntendon * m->nv, m->ntendon, d->ten_J_rownnz,
                    d->ten_J_rowadr, d->ten_J_colind);
  } else if (at == offsetof(mjData, efc_J) && mj_isSparse(m)) {
    ct_print_sparse(p, title, value, d->nJ, d->nefc, d->efc_J_rownnz, d->efc_J_rowadr,
                    d->efc_J_colind);
  } else if (at == offsetof(mjData, efc_AR) && mj_isSparse(m)) {
    ct_print_sparse(p, title, value, d->nA, d->nefc, d->efc_AR_rownnz, d->efc_AR_rowadr,
                    d->efc_AR_colind);
  } else {
    return false;
  }
  return true;
}

// Columns for the reader: dense matrices in the arena are stored as one row of numbers.
static mjtSize shown_columns(const mjModel* m, const mjData* d, const ct_Field* f) {
  if (f->offset == offsetof(mjData, efc_J)) return m->nv;
  if (f->offset == offsetof(mjData, efc_AR)) return d->nefc;
  return ct_field_columns(f, m);
}

static void print_array(ct_Printer* p, const mjModel* m, const mjData* d, const ct_Field* f) {
  const void* array = ct_field_array(f, d);
  mjtSize count = array ? ct_field_rows(f, m, d) * ct_field_columns(f, m) : 0;
  if (count <= 0) return;
  if (f->offset == offsetof(mjData, history)) {
    print_history(p, m, d);
  } else if (f->offset == offsetof(mjData, contact)) {
    print_contacts(p, m, d);
  } else if (!print_matrix(p, m, d, f)) {
    char title[NAME_BYTES];
    mjtSize columns = shown_columns(m, d, f);
    fprintf(p->out, "%s\n", capitals(title, f->name));
    for (mjtSize i = 0; i < count; i++) {
      fputs(i % columns ? " " : "  ", p->out);
      ct_print_element(p, f, array, i);
      if ((i + 1) % columns == 0 || i + 1 == count) fputc('\n', p->out);
    }
    fputc('\n', p->out);
  }
}

// Indices of awake objects end where their count says; what follows has no meaning.
static void print_awake(ct_Printer* p, const char* title, const int* ids, int n) {
  if (n <= 0) return;
  fprintf(p->out, "%s\n ", title);
  for (int i = 0; i < n; i++) fprintf(p->out, " %d", ids[i]);
  fprintf(p->out, "\n\n");
}

static bool is_awake_list(const ct_Field* f) {
  return f->offset == offsetof(mjData, body_awake_ind) ||
         f->offset == offsetof(mjData, parent_awake_ind) ||
         f->offset == offsetof(mjData, dof_awake_ind);
}

void mj_printFormattedData(const mjModel* m, const mjData* d, const char* filename,
                           const char* float_format) {
  if (!m || !d) {
    mju_warning("mj_printData: the %s is NULL", m ? "data" : "model");
    return;
  }
  if (d->pstack != 0) {
    mju_error("mj_printData: the stack of the data is in use");
    return;
  }
  ct_Printer p;
  if (!ct_printer_open(&p, "mj_printData", filename, float_format)) return;
  print_memory(&p, d);
  print_counts(&p, d);
  print_events(&p, d);
  print_solver(&p, d);
  fprintf(p.out, "\nENERGY = ");
  ct_print_numbers(&p, d->energy, 2);
  fprintf(p.out, "\n\nTIME = ");
  ct_print_number(&p, (double)d->time);
  fprintf(p.out, "\n\n");
  for (int i = 0; i < ct_ndata_field; i++) {
    if (!is_awake_list(ct_data_fields + i)) print_array(&p, m, d, ct_data_fields + i);
  }
  print_awake(&p, "BODY_AWAKE_IND", d->body_awake_ind, d->nbody_awake);
  print_awake(&p, "PARENT_AWAKE_IND", d->parent_awake_ind, d->nparent_awake);
  print_awake(&p, "DOF_AWAKE_IND", d->dof_awake_ind, d->nv_awake);
  for (int i = 0; i < ct_narena_field; i++) print_array(&p, m, d, ct_arena_fields + i);
  ct_printer_close(&p);
}

void mj_printData(const mjModel* m, const mjData* d, const char* filename) {
  mj_printFormattedData(m, d, filename, NULL);
}
