import { useState } from 'react'
import { readStored, writeStored } from '@/lib/browser/storage'

const KEY = 'gallery-dense'

/** Whether the covers stand small and close to each other; kept in this browser. */
export function useDense(): readonly [boolean, (dense: boolean) => void] {
  const [dense, setDense] = useState(() => readStored(KEY) !== null)
  return [
    dense,
    (dense) => {
      writeStored(KEY, dense ? 'on' : null)
      setDense(dense)
    },
  ]
}
