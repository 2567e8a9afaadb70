// One sum that the compiler is allowed to contract: the check has to find it.

double contraction_example(double a, double b, double c);

double contraction_example(double a, double b, double c) {
  return a * b + c;
}
