#!/bin/sh
# After installation of the deb or rpm. Honours DPKG_ROOT, so that dpkg can install into another root without chroot.
set -e
root="${DPKG_ROOT:-}"
app='/opt/${sanitizedProductName}'

# Without user namespaces Chromium's sandbox needs its setuid program.
if [ -f "$root$app/chrome-sandbox" ]; then
  if unshare --user true 2>/dev/null; then mode=0755; else mode=4755; fi
  chmod "$mode" "$root$app/chrome-sandbox"
fi

if [ -z "$root" ]; then
  if command -v update-desktop-database >/dev/null; then update-desktop-database -q /usr/share/applications || true; fi
  if command -v gtk-update-icon-cache >/dev/null; then gtk-update-icon-cache -qtf /usr/share/icons/hicolor || true; fi
  # Only an AppArmor that understands the profile gets it.
  profile="$app/resources/apparmor-profile"
  if command -v apparmor_parser >/dev/null && apparmor_parser --skip-kernel-load "$profile" >/dev/null 2>&1; then
    cp -f "$profile" '/etc/apparmor.d/${executable}'
    apparmor_parser --replace --write-cache '/etc/apparmor.d/${executable}' >/dev/null 2>&1 || true
  fi
fi
