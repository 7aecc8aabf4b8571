import { type DragEvent, useState } from 'react'

/** Takes dropped files; `over` while some are held above. */
export function useFileDrop(take: (files: readonly File[]) => void) {
  const [depth, setDepth] = useState(0)
  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return {
    over: depth > 0,
    onDragEnter: (event: DragEvent) => carriesFiles(event) && setDepth((now) => now + 1),
    onDragLeave: (event: DragEvent) => carriesFiles(event) && setDepth((now) => Math.max(0, now - 1)),
    onDragOver: (event: DragEvent) => carriesFiles(event) && event.preventDefault(),
    onDrop: (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setDepth(0)
      take([...event.dataTransfer.files])
    },
  }
}
