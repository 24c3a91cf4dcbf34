package dev.posthorn.console;

/** Who asks: the name of a token, which is recorded with every change. */
record Caller(String name, Role role) {

    boolean may(Right right) {
        return role.may(right);
    }
}
