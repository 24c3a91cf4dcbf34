# Finds Java and Maven for ./posthorn and ./test, which source this file after setting $root.

fail() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

# Sets $java to a Java 17 or later: that of JAVA_HOME if it is set, else the one on the PATH.
find_java() {
    if [ -n "${JAVA_HOME:-}" ]; then
        java=$JAVA_HOME/bin/java
        [ -x "$java" ] || fail "JAVA_HOME is $JAVA_HOME, but there is no bin/java. Correct or unset it."
    else
        java=$(command -v java) || fail "Java is missing. Install a JDK, 17 or later, or set JAVA_HOME."
    fi
    local version
    version=$("$java" -XshowSettings:properties -version 2>&1 |
        sed -n 's/^ *java.specification.version = \([0-9]*\).*/\1/p')
    [ "${version:-0}" -ge 17 ] || fail "$java is Java ${version:-of an unknown version}, but 17 or later is needed." \
        "Set JAVA_HOME to a newer one."
}

# Succeeds if $java can compile, too.
is_jdk() {
    [ -x "$(dirname "$(readlink -f "$java")")/javac" ]
}

# Sets $maven to the wrapper if it works here (its first run downloads Maven), else to the installed Maven.
find_maven() {
    if "$root/mvnw" --version >/dev/null 2>&1 </dev/null; then
        maven=$root/mvnw
    else
        maven=$(command -v mvn) || return 1
    fi
}
