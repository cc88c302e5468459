#!/bin/sh
# The command `outtray` of the packages. Electron refuses to start as root with its sandbox on, even where no page opens;
# with this variable commands work, and the app itself says that its window does not open for root.
if [ "$(id -u)" = 0 ]; then
  case " $* " in
  *' --no-sandbox '*) ;;
  *) export ELECTRON_DISABLE_SANDBOX=1 ;;
  esac
fi
exec "$(dirname "$(readlink -f "$0")")/outtray" "$@"
