/** The longest side, in pixels, that the server keeps of a reference; on the landing page less is shown. */
const LONGEST_SIDE = 2048

/** What the server takes at most of one picture, in bytes. */
export const MAX_BYTES = 10 * 1024 * 1024

const ACCEPTED_TYPES = ['image/png', 'image/jpeg', 'image/webp']
/** Below this many bytes a picture that is small enough and of a known type is sent as it is. */
const MAX_UNCHANGED_BYTES = 1_500_000
const QUALITY = 0.9

/**
 * A picture as it will be sent: as it is, or redrawn where it is larger than the server would keep or of another
 * type. Rejects when the browser cannot read it.
 */
export async function prepareImage(file: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(file)
  try {
    const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height))
    if (scale === 1 && file.size <= MAX_UNCHANGED_BYTES && ACCEPTED_TYPES.includes(file.type)) return file
    return await redraw(bitmap, Math.max(1, bitmap.width * scale), Math.max(1, bitmap.height * scale))
  } finally {
    bitmap.close()
  }
}

function redraw(bitmap: ImageBitmap, width: number, height: number): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width)
  canvas.height = Math.round(height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('There is no canvas to draw on')
  // JPEG knows no transparency, and would show it in black
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture was not written'))),
      'image/jpeg',
      QUALITY,
    ),
  )
}

/** A file as a data URL. */
export function toDataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
