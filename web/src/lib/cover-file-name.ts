const NOT_ALPHANUMERIC = /[^\p{L}\p{N}]/gu

export const extensions = { png: 'png', jpeg: 'jpg', webp: 'webp' } as const

/** A cover's file: its title in lower case, everything but letters and digits replaced by an underscore. */
export function coverFileName(title: string, extension: string): string {
  const stem = title.normalize('NFC').toLowerCase().replace(NOT_ALPHANUMERIC, '_')
  return `${stem || 'cover'}.${extension}`
}

/** A cover just made, before it has found its place in the gallery. */
export function newCoverFileName(now: number, extension: string): string {
  return `book-cover-${now}.${extension}`
}
