// long enough for every browser to have taken over the download
const RELEASE_DELAY = 60_000

/** Hands a file to the browser's downloads. */
export function saveFile(data: Blob, name: string): void {
  const address = URL.createObjectURL(data)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(address), RELEASE_DELAY)
}
