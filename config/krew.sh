#!/bin/sh
# Prints krew's manifest of a release:
#   config/krew.sh cli/target/kueue4j-0.1.0.tar.gz https://HOST/PATH/kueue4j-0.1.0.tar.gz >kueue4j.yaml
set -eu
if [ $# -ne 2 ] || [ ! -r "$1" ]; then
  echo "usage: config/krew.sh ARCHIVE URI; ARCHIVE is a distribution, kueue4j-VERSION.tar.gz" >&2
  exit 2
fi
version=$(basename "$1" .tar.gz)
version=${version#kueue4j-}
sha256=$(sha256sum "$1" | cut -d " " -f 1)
sed -e "/^#/d" -e "s|@VERSION@|$version|g" -e "s|@URI@|$2|" -e "s|@SHA256@|$sha256|" \
  "$(dirname "$0")/krew.yaml"
