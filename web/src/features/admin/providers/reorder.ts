/** The order with one entry moved to another place; places are counted from 0 and kept within the list. */
export function reorder(order: readonly string[], id: string, place: number): string[] {
  const others = order.filter((other) => other !== id)
  const to = Math.max(0, Math.min(place, others.length))
  return [...others.slice(0, to), id, ...others.slice(to)]
}

/** Where a row dropped at a height belongs: before the first other row whose middle is below it. */
export function dropIndex(y: number, rows: readonly { id: string; top: number; height: number }[], id: string): number {
  const others = rows.filter((row) => row.id !== id)
  const place = others.findIndex(({ top, height }) => y < top + height / 2)
  return place === -1 ? others.length : place
}
