ENTRY ${name}_report(GLOBAL Double *reported) {
    if (INDEX == 0) ${name}_test(reported);
}
