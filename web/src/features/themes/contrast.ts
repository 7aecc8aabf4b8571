/** Contrast that type needs on its ground (WCAG 2.2, 1.4.3). */
export const MIN_CONTRAST = 4.5

/** Relative luminance of `#rrggbb`, 0 to 1. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast between the darkest and the lightest of some colors, 1 to 21. */
export function widestContrast(colors: readonly string[]): number {
  const lights = colors.map(luminance)
  return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05)
}
