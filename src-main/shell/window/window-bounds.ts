// Where the window was, brought back onto a screen that is there now. Pure.
import type { Rectangle } from 'electron';

export type Place = Rectangle & { maximized: boolean };

export const smallest = { width: 640, height: 480 };
const usual = { width: 960, height: 640 };
/** At least this much of the window's top must be on a screen, so that the mouse can move the window. */
const grip = { width: 120, height: 40 };

/** What was remembered; null when it is nothing that can be used. */
export const readPlace = (value: unknown): Place | null => {
  if (typeof value !== 'object' || value === null) return null;
  const { x, y, width, height, maximized } = value as Partial<Record<keyof Place, unknown>>;
  if (!isWhole(x) || !isWhole(y) || !isWhole(width) || !isWhole(height)) return null;
  return { x, y, width, height, maximized: maximized === true };
};

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

/** `areas`: the screens without their bars. No x and y: the system chooses. */
export const placeOn = (
  areas: readonly Rectangle[],
  place: Place | null,
): Partial<Rectangle> & typeof usual & { maximized: boolean } => {
  if (place === null) return { ...usual, maximized: false };
  const area = areas.find((one) => isWithinReach(one, place));
  const width = Math.max(smallest.width, Math.min(place.width, area?.width ?? usual.width));
  const height = Math.max(smallest.height, Math.min(place.height, area?.height ?? usual.height));
  const { maximized } = place;
  return area === undefined
    ? { width, height, maximized }
    : { x: place.x, y: place.y, width, height, maximized };
};

const isWithinReach = (area: Rectangle, place: Place): boolean => {
  const across = Math.min(area.x + area.width, place.x + place.width) - Math.max(area.x, place.x);
  return across >= grip.width && place.y >= area.y && place.y + grip.height <= area.y + area.height;
};
