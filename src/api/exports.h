// Functions and tables that the reference's library exports without declaring them. What they take
// and do comes from written descriptions of their behaviour and from experiments with the library:
// docs/behaviour-notes.md. The binary interface consists of types; the names here are ours.

#ifndef CT_API_EXPORTS_H_
#define CT_API_EXPORTS_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// Vectors, matrices and arrays

// Products of 3x3 matrices: a b, a' b, a b'. The product must not overlap a factor.
MJAPI void mju_mulMatMat3(mjtNum product[9], const mjtNum a[9], const mjtNum b[9]);
MJAPI void mju_mulMatTMat3(mjtNum product[9], const mjtNum a[9], const mjtNum b[9]);
MJAPI void mju_mulMatMatT3(mjtNum product[9], const mjtNum a[9], const mjtNum b[9]);

// Momentum of an inertia of ten numbers (math/spatial.h) that moves with a velocity.
MJAPI void mju_mulInertVec(mjtNum momentum[6], const mjtNum inertia[10], const mjtNum velocity[6]);

// 1 if no component differs by mjMINVAL or more.
MJAPI int mju_equal3(const mjtNum a[3], const mjtNum b[3]);

// Integers and bytes; isZeroByte is 1 for an empty array.
MJAPI void mju_zeroInt(int* a, int count);
MJAPI void mju_copyInt(int* to, const int* from, int count);
MJAPI int mju_isZeroByte(const unsigned char* bytes, int count);

// gather: packed[i] = from[place[i]]; masked: 0 where the place is negative. scatter: to[place[i]]
// = packed[i].
MJAPI void mju_gather(mjtNum* packed, const mjtNum* from, const int* place, int count);
MJAPI void mju_gatherMasked(mjtNum* packed, const mjtNum* from, const int* place, int count);
MJAPI void mju_gatherInt(int* packed, const int* from, const int* place, int count);
MJAPI void mju_scatter(mjtNum* to, const mjtNum* packed, const int* place, int count);
MJAPI void mju_scatterInt(int* to, const int* packed, const int* place, int count);

// Half axes of the ellipsoid that stands for a geom of that type and size (a capsule counts its
// caps).
MJAPI void mju_geomSemiAxes(mjtNum half_axes[3], const mjtNum geom_size[3], int geom_type);

// Where a point is seen from a box: 1 outside the box grown by the factor `growth`, -1 inside the
// box shrunk by it, 0 between. With growth 1 the surface counts as inside.
MJAPI int mju_outsideBox(const mjtNum point[3], const mjtNum center[3], const mjtNum frame[9],
                         const mjtNum half_size[3], mjtNum growth);

// Interpolation on the unit cube (math/basis.h). evalBasis is -1 for degrees other than 1 and 2;
// interpolate3D adds to the sum; defGradient is the gradient of the interpolated position,
// jacobian[3 i + j] = d position_i / d at_j.
MJAPI mjtNum mju_evalBasis(const mjtNum at[3], int node, int degree);
MJAPI void mju_interpolate3D(mjtNum sum[3], const mjtNum at[3], const mjtNum* node_value,
                             int degree);
MJAPI void mju_defGradient(mjtNum jacobian[9], const mjtNum at[3], const mjtNum* node_position,
                           int degree);

// Solvers and muscles

// min x'A x / 2 + b'x subject to sum (x_i / scale_i)^2 <= radius^2 in 2 and 3 dimensions; 1 if the
// constraint is active.
MJAPI int mju_QCQP2(mjtNum* x, const mjtNum* A, const mjtNum* b, const mjtNum* scale,
                    mjtNum radius);
MJAPI int mju_QCQP3(mjtNum* x, const mjtNum* A, const mjtNum* b, const mjtNum* scale,
                    mjtNum radius);

// mju_boxQP with its constants as arguments: iterations, squared gradient to stop at, factor on the
// step, least step, fraction of the promised descent that is enough. report_text (report_room
// bytes, or NULL) receives one line on how it ended.
MJAPI int mju_boxQPoption(mjtNum* x, mjtNum* room, int* free_index, const mjtNum* hessian,
                          const mjtNum* slope, int size, const mjtNum* least, const mjtNum* most,
                          int iterations, mjtNum least_gradient, mjtNum shorten, mjtNum least_step,
                          mjtNum enough, char* report_text, int report_room);

// Force of a muscle over normalised length, and its time constant over the excess of the control
// over the activation: `rise` above zero, `fall` below, joined smoothly over the width `blend`.
MJAPI mjtNum mju_muscleGainLength(mjtNum stretch, mjtNum shortest, mjtNum longest);
MJAPI mjtNum mju_muscleDynamicsTimescale(mjtNum excess, mjtNum rise, mjtNum fall, mjtNum blend);

// Sparse matrices
//
// A matrix A in compressed rows is four arrays: its elements `a`, for each row the number of them
// `a_count` and the position of the first `a_start`, for each element its column `a_column`.
// `a_alike` says for each row how many rows right behind it have the same columns; it may be NULL
// and changes nothing but the reference's speed. t is the transpose of A. `lender` lends its stack,
// `spare` is memory that corten does not need.

MJAPI mjtNum mju_dotSparse2(const mjtNum* x, const int* x_index, int x_count, const mjtNum* y,
                            const int* y_index, int y_count);
MJAPI int mju_combineSparseCount(int x_count, int y_count, const int* x_index, const int* y_index);

// product = A x, A' x, and A x for a symmetric A of which the lower triangle is given.
MJAPI void mju_mulMatVecSparse(mjtNum* product, const mjtNum* a, const mjtNum* x, int rows,
                               const int* a_count, const int* a_start, const int* a_column,
                               const int* a_alike);
MJAPI void mju_mulMatTVecSparse(mjtNum* product, const mjtNum* a, const mjtNum* x, int rows,
                                int columns, const int* a_count, const int* a_start,
                                const int* a_column);
MJAPI void mju_mulSymVecSparse(mjtNum* product, const mjtNum* a, const mjtNum* x, int size,
                               const int* a_count, const int* a_start, const int* a_column);

// A += B; the rows of A grow.
MJAPI void mju_addToMatSparse(mjtNum* a, int* a_count, int* a_start, int* a_column, int rows,
                              const mjtNum* b, const int* b_count, const int* b_start,
                              const int* b_column, mjtNum* spare_numbers, int* spare_indices);
// dense += A, its lower triangle or both.
MJAPI void mju_addToSymSparse(mjtNum* dense, const mjtNum* a, int size, const int* a_count,
                              const int* a_start, const int* a_column, int both_triangles);

// Packs the rows, dropping elements up to a threshold in magnitude unless it is negative.
MJAPI int mju_compressSparse(mjtNum* a, int rows, int columns, int* a_count, int* a_start,
                             int* a_column, mjtNum threshold);
// t and a may be NULL (pattern only); so may t_alike. a and a_column begin with the first row,
// whatever a_start[0] is.
MJAPI void mju_transposeSparse(mjtNum* t, const mjtNum* a, int rows, int columns, int* t_count,
                               int* t_start, int* t_column, int* t_alike, const int* a_count,
                               const int* a_start, const int* a_column);
MJAPI void mju_superSparse(int rows, int* a_alike, const int* a_count, const int* a_start,
                           const int* a_column);

// square = A' diag(weight) A: lower triangle, or both triangles with `diagonal`, which receives the
// places of the diagonal elements. mju_sqrMatTDSparse stores every diagonal element,
// mju_sqrMatTDSparse_row and mju_sqrMatTDSparseCount only what is structurally there.
MJAPI void mju_sqrMatTDSparse(mjtNum* square, const mjtNum* a, const mjtNum* t,
                              const mjtNum* weight, int rows, int columns, int* square_count,
                              const int* square_start, int* square_column, const int* a_count,
                              const int* a_start, const int* a_column, const int* a_alike,
                              const int* t_count, const int* t_start, const int* t_column,
                              const int* t_alike, mjData* lender, int* diagonal);
MJAPI void mju_sqrMatTDSparse_row(mjtNum* square, const mjtNum* a, const mjtNum* t,
                                  const mjtNum* weight, int rows, int columns, int* square_count,
                                  const int* square_start, int* square_column, const int* a_count,
                                  const int* a_start, const int* a_column, const int* a_alike,
                                  const int* t_count, const int* t_start, const int* t_column,
                                  const int* t_alike, mjData* lender, int* diagonal);
MJAPI int mju_sqrMatTDSparseCount(int* square_count, int* square_start, int size,
                                  const int* a_count, const int* a_start, const int* a_column,
                                  const int* t_count, const int* t_start, const int* t_column,
                                  const int* t_alike, mjData* lender, int both_triangles);
MJAPI void mju_sqrMatTDUncompressedInit(int* square_start, int size);

// place: where each element of the pattern B stands in A.
MJAPI void mju_sparseMap(int* place, int rows, const int* b_start, const int* b_count,
                         const int* b_column, const int* a_start, const int* a_count,
                         const int* a_column);
// place: where each element of a symmetric matrix stands in its lower triangle.
MJAPI void mju_lower2SymMap(int* place, int rows, const int* full_start, const int* full_count,
                            const int* full_column, const int* lower_start, const int* lower_count,
                            const int* lower_column, int* spare);

// Permutes a matrix into blocks. Dense: block k, packed, starts at block_first_row[k] *
// blocks_width; column_order lists old columns. No block is empty. Sparse: rows packed, columns
// local to their block; new_column is what becomes of old ones. second_a is another matrix of the
// same pattern; it and second_blocks may be NULL.
MJAPI void mju_blockDiag(mjtNum* blocks, const mjtNum* a, int a_width, int blocks_width, int nblock,
                         const int* row_order, const int* column_order, const int* block_rows,
                         const int* block_columns, const int* block_first_row,
                         const int* block_first_column);
MJAPI void mju_blockDiagSparse(mjtNum* blocks, int* blocks_count, int* blocks_start,
                               int* blocks_column, const mjtNum* a, const int* a_count,
                               const int* a_start, const int* a_column, int rows, int nblock,
                               const int* row_order, const int* new_column,
                               const int* block_first_row, const int* block_first_column,
                               mjtNum* second_blocks, const mjtNum* second_a);

// Reverse Cholesky, A = L' L, rows with the diagonal last; see math/sparse_cholesky.h. The rank is
// returned.
MJAPI int mju_cholFactorSparse(mjtNum* a, int size, mjtNum least_pivot, int* a_count,
                               const int* a_start, int* a_column, mjData* lender);
MJAPI int mju_cholUpdateSparse(mjtNum* l, const mjtNum* x, int size, int add, const int* l_count,
                               const int* l_start, const int* l_column, int x_count,
                               const int* x_index, mjData* lender);
// First with l_column NULL: counts, returns the number of elements. Then with room for them: fills,
// returns 0. t is the transpose of L here, t_place where its elements stand in L.
MJAPI int mju_cholFactorSymbolic(int* l_column, int* l_count, int* l_start, int* t_column,
                                 int* t_count, int* t_start, int* t_place, const int* a_count,
                                 const int* a_start, const int* a_column, int size, mjData* lender);
MJAPI int mju_cholFactorNumeric(mjtNum* l, int size, mjtNum least_pivot, const int* l_count,
                                const int* l_start, const int* l_column, const int* t_count,
                                const int* t_start, const int* t_column, const int* t_place,
                                const mjtNum* a, const int* a_count, const int* a_start,
                                const int* a_column, mjData* lender);

// Velocity derivatives

// qDeriv from scratch, with or without the bias forces.
MJAPI void mjd_smooth_vel(const mjModel* m, mjData* d, int with_bias);

// Add to qDeriv.
MJAPI void mjd_actuator_vel(const mjModel* m, mjData* d);
MJAPI void mjd_passive_vel(const mjModel* m, mjData* d);

// Contact sensors

// How many numbers each field of a contact sensor has (mjtConDataField), and all fields of a bit
// mask.
MJAPI extern const int mjCONDATA_SIZE[mjNCONDATA];
MJAPI int mju_condataSize(int field_mask);

#ifdef __cplusplus
}
#endif

#endif  // CT_API_EXPORTS_H_
