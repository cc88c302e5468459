// The window's last bounds, moved onto a screen that exists now. Pure.
import type { Rectangle } from 'electron';

export type WindowBounds = Rectangle & { maximized: boolean };

export const smallest = { width: 640, height: 480 };
const usual = { width: 960, height: 640 };
/** At least this much of the window's top must be on a screen, so that the mouse can move the window. */
const grip = { width: 120, height: 40 };

/** `areas`: the screens without their bars. No x and y: the system chooses. */
export const boundsOn = (
  areas: readonly Rectangle[],
  bounds: WindowBounds | null,
): Partial<Rectangle> & typeof usual & { maximized: boolean } => {
  if (bounds === null) return { ...usual, maximized: false };
  const area = areas.find((one) => isWithinReach(one, bounds));
  const width = Math.max(smallest.width, Math.min(bounds.width, area?.width ?? usual.width));
  const height = Math.max(smallest.height, Math.min(bounds.height, area?.height ?? usual.height));
  const { maximized } = bounds;
  return area === undefined
    ? { width, height, maximized }
    : { x: bounds.x, y: bounds.y, width, height, maximized };
};

const isWithinReach = (area: Rectangle, bounds: WindowBounds): boolean => {
  const across = Math.min(area.x + area.width, bounds.x + bounds.width) - Math.max(area.x, bounds.x);
  return across >= grip.width && bounds.y >= area.y && bounds.y + grip.height <= area.y + area.height;
};
