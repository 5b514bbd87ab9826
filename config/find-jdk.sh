# Sourced by mvnw and kueue4j. Finds a Java installation of at least level 21.
# Order: KUEUE4J_JAVA_HOME, which must be one, JAVA_HOME, `java` on PATH, then the usual install folders.

kueue4j_java_major() { # prints the feature version of the java in the given home, or nothing
  local major=""
  # The file says it without starting a JVM; not every installation has it.
  [ ! -r "$1/release" ] || major=$(sed -n 's/^JAVA_VERSION="\(1\.\)\{0,1\}\([0-9][0-9]*\).*/\2/p' "$1/release")
  if [ -n "$major" ]; then
    printf '%s\n' "$major"
    return
  fi
  "$1/bin/java" -version 2>&1 | sed -n 's/.* version "\(1\.\)\{0,1\}\([0-9][0-9]*\).*/\2/p' | head -n 1
}

# usage: kueue4j_find_jdk java|javac; prints the home, or says on stderr what to install and fails
kueue4j_find_jdk() {
  local tool=$1 home major problem on_path seen=""
  home=${KUEUE4J_JAVA_HOME:-}
  if [ -n "$home" ]; then
    major=none
    [ ! -x "$home/bin/java" ] || major=$(kueue4j_java_major "$home")
    case $major in
      none) problem="has no bin/java" ;;
      "" | ? | 1? | 20) problem="has Java ${major:-of an unknown version}" ;;
      *) problem="" ;;
    esac
    if [ -n "$problem" ]; then
      echo "kueue4j: KUEUE4J_JAVA_HOME=$home $problem; set it to a Java of at least 21, or unset it." >&2
      return 1
    fi
  fi
  on_path=$(command -v java || true)
  [ -z "$on_path" ] || on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")
  for home in "${KUEUE4J_JAVA_HOME:-}" "${JAVA_HOME:-}" "$on_path" \
    /usr/lib/jvm/* /opt/java/* /opt/jdk* "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    [ -n "$home" ] && [ -x "$home/bin/java" ] || continue
    major=$(kueue4j_java_major "$home")
    [ -n "$major" ] || continue
    if [ "$major" -ge 21 ] && [ -x "$home/bin/$tool" ]; then
      printf '%s\n' "$home"
      return 0
    fi
    seen="$seen $home ($major)"
  done
  echo "kueue4j: no JDK >= 21 found (looked at JAVA_HOME, PATH, /usr/lib/jvm and the usual folders).${seen:+ Not usable:$seen.} Install one (for example the package 'openjdk-21-jdk' or 'temurin-21-jdk') or set JAVA_HOME." >&2
  return 1
}
