#!/bin/sh
# After removal, or after an upgrade replaced the files (then everything stays). Leaves the users' data alone.
set -e
root="${DPKG_ROOT:-}"
case "${1:-}" in upgrade | failed-upgrade | abort-install | abort-upgrade | disappear | 1) exit 0 ;; esac

# An rpm that fpm made owns its files, not their folders.
for place in '/opt/${sanitizedProductName}' '/usr/share/${executable}' '/usr/share/licenses/${executable}'; do
  if [ -d "$root$place" ]; then find "$root$place" -depth -type d -exec rmdir {} + 2>/dev/null || true; fi
done

if [ -z "$root" ]; then
  profile='/etc/apparmor.d/${executable}'
  if [ -f "$profile" ]; then
    if command -v apparmor_parser >/dev/null; then apparmor_parser --remove "$profile" >/dev/null 2>&1 || true; fi
    rm -f "$profile"
  fi
  if command -v update-desktop-database >/dev/null; then update-desktop-database -q /usr/share/applications || true; fi
  if command -v gtk-update-icon-cache >/dev/null; then gtk-update-icon-cache -qtf /usr/share/icons/hicolor || true; fi
fi
