// Where the popover of the tray goes: beside its icon, inside the work area of the icon's screen. Pure.
import type { Rectangle } from 'electron';

type Size = { width: number; height: number };

/** The gap between icon and popover, and to the edge of the screen. */
const gapPx = 8;

/**
 * `icon`: the tray's. `area`: its screen without bars. The bar with the icon is at the side where the icon is outside
 * the area. For an icon inside it (a bar that hides, the place for hidden icons), the popover goes on the roomier side.
 */
export const placeBeside = (icon: Rectangle, area: Rectangle, wanted: Size): Rectangle => {
  const width = Math.min(wanted.width, area.width - 2 * gapPx);
  const height = Math.min(wanted.height, area.height - 2 * gapPx);
  const [right, bottom] = [area.x + area.width, area.y + area.height];
  const [midX, midY] = [icon.x + icon.width / 2, icon.y + icon.height / 2];
  const within = (start: number, from: number, to: number): number =>
    Math.round(Math.max(from + gapPx, Math.min(start, to - gapPx)));
  const across = { x: within(midX - width / 2, area.x, right - width), width, height };
  const down = { y: within(midY - height / 2, area.y, bottom - height), width, height };
  if (midX < area.x) return { ...down, x: area.x + gapPx };
  if (midX > right) return { ...down, x: right - width - gapPx };
  const isBelow = midY > area.y + area.height / 2;
  const edge = isBelow ? icon.y - gapPx - height : icon.y + icon.height + gapPx;
  return { ...across, y: within(edge, area.y, bottom - height) };
};
