// What chosen.sh must find: instructions of AVX-512 behind a function that everybody calls.

#include <immintrin.h>

void corten_twice_example(double* x);
void corten_everybody_example(double* x);

__attribute__((target("avx512f"), noinline)) void corten_twice_example(double* x) {
  __m512d all = _mm512_loadu_pd(x);
  _mm512_storeu_pd(x, _mm512_add_pd(all, all));
}

void corten_everybody_example(double* x) {
  corten_twice_example(x);
  x[0] += 1;
}
