import { log } from './log'

/** Local storage that never throws: private windows and full disks only cost the convenience. */
export function readStored(key: string): string | null {
  try {
    return window.localStorage.getItem(key)
  } catch (error) {
    log(`Cannot read ${key} from local storage`, error)
    return null
  }
}

export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) window.localStorage.removeItem(key)
    else window.localStorage.setItem(key, value)
  } catch (error) {
    log(`Cannot write ${key} to local storage`, error)
  }
}
