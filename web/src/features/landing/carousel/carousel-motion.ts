/** How often the list is repeated, so that there is always something on either side. */
export const COPIES = 5
/** A slide moves on after this many milliseconds. */
export const ADVANCE_INTERVAL = 2500
/** The transition stays off for this long around the silent jump. */
export const JUMP_DELAY = 50

const MIDDLE_COPY = Math.floor(COPIES / 2)

/** The slide to begin with: the first of the middle copy. */
export const startSlide = (count: number) => MIDDLE_COPY * count

/** Whether a slide lies in the first or the last copy, where the row would soon run out. */
export const isNearEnd = (slide: number, count: number) => slide < count || slide >= (COPIES - 1) * count

/** The same cover in the middle copy. */
export const sameSlideInMiddle = (slide: number, count: number) =>
  startSlide(count) + (((slide % count) + count) % count)

/** How many covers a window of this width shows beside each other. */
export function slidesInView(windowWidth: number): number {
  if (windowWidth < 640) return 2
  if (windowWidth < 1024) return 3
  return windowWidth < 1440 ? 5 : 7
}
