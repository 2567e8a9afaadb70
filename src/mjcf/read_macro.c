// Elements of the tree that stand for many others: replicate, attach, composite.

#include "mjcf/read.h"

void ct_read_replicate(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  (void)scope;
  ct_refuse(r, xml, NULL, "replicate is not part of this version of corten");
}

void ct_read_attach(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  (void)scope;
  ct_refuse(r, xml, NULL, "attach is not part of this version of corten");
}

void ct_read_composite(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  (void)scope;
  ct_refuse(r, xml, NULL, "composite is not part of this version of corten");
}
