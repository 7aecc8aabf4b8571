import { readStored, writeStored } from '@/lib/browser/storage'

const KEY = 'faces'
const DISPLAY = '480 1em "Literata Variable"'

/**
 * Loads the display face of headings, which is too heavy to come before the first screen. Once a browser has it in
 * its cache, `/boot.js`, which reads the same key, uses it before the first paint.
 */
export async function loadDisplayFont(): Promise<void> {
  if (readStored(KEY)) return
  await headingShown()
  try {
    await document.fonts.load(DISPLAY)
    writeStored(KEY, '1')
  } finally {
    document.documentElement.classList.add('faces')
  }
}

function headingShown(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.querySelector('#main h1')) setTimeout(resolve)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
}
