/** A place on the picture; both in 0..1. */
export type Point = { x: number; y: number }

/** What was marked at once: a stroke of the brush, whose width is a share of the picture's, or one of nine fields. */
export type Mark = { kind: 'stroke'; width: number; points: readonly Point[] } | { kind: 'field'; field: number }

/** Fields in a row, and rows of them. */
export const FIELDS = 3

export const fieldBox = (field: number) => ({
  x: (field % FIELDS) / FIELDS,
  y: Math.floor(field / FIELDS) / FIELDS,
  size: 1 / FIELDS,
})

export const isMarked = (marks: readonly Mark[], field: number) =>
  marks.some((mark) => mark.kind === 'field' && mark.field === field)

/** Marks a field, or takes its mark away. */
export const toggled = (marks: readonly Mark[], field: number): Mark[] =>
  isMarked(marks, field)
    ? marks.filter((mark) => mark.kind !== 'field' || mark.field !== field)
    : [...marks, { kind: 'field', field }]

/** Goes on with the stroke that was begun last. */
export const drawnOn = (marks: readonly Mark[], point: Point): Mark[] =>
  marks.map((mark, place) =>
    place === marks.length - 1 && mark.kind === 'stroke' ? { ...mark, points: [...mark.points, point] } : mark,
  )

/** The path of a stroke on a picture of this size. */
export const strokePath = (points: readonly Point[], width: number, height: number) =>
  // a stroke that never moved is a dot, which needs a line to be drawn
  points
    .concat(points.length === 1 ? points : [])
    .map(({ x, y }, place) => `${place === 0 ? 'M' : 'L'}${(x * width).toFixed(1)} ${(y * height).toFixed(1)}`)
    .join('')

/** Longest side of a mask in pixels; the server scales it to the picture. */
const MASK_SIDE = 1024

/** A PNG as a data URL: black, and transparent where the picture may change. */
export function maskOf(marks: readonly Mark[], proportion: number): string {
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(MASK_SIDE * Math.min(1, proportion))
  canvas.height = Math.round(canvas.width / proportion)
  const { width, height } = canvas
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser draws no masks')
  context.fillRect(0, 0, width, height)
  context.globalCompositeOperation = 'destination-out'
  context.lineCap = 'round'
  context.lineJoin = 'round'
  for (const mark of marks) {
    if (mark.kind === 'field') {
      const { x, y, size } = fieldBox(mark.field)
      context.fillRect(x * width, y * height, size * width, size * height)
    } else {
      context.lineWidth = mark.width * width
      context.stroke(new Path2D(strokePath(mark.points, width, height)))
    }
  }
  return canvas.toDataURL('image/png')
}
