ENTRY ${name}_told(GLOBAL Double *told) {
    if (INDEX == 0) ${name}_test(told);
}
