const LONGEST = 5_000

/** Waits until a picture can be shown without a flash of emptiness; after 5 s, or when it cannot load, goes on. */
export async function preloadPicture(src: string): Promise<void> {
  const image = new Image()
  image.src = src
  let timer: ReturnType<typeof setTimeout> | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LONGEST)
  })
  await Promise.race([image.decode().catch(() => undefined), patience])
  clearTimeout(timer)
}
