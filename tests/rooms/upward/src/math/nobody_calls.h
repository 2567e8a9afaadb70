// A function that nothing shipped uses, however often it is declared.

int ct_nobody_calls(int x);
int ct_nobody_calls(int x);
