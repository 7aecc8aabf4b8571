declare module 'virtual:showcase' {
  /** A sample cover rendered for the landing page; the file names are relative to `/showcase/`. */
  type Sample = { title: string; author: string; genre: string; small: string; large: string }
  const samples: readonly Sample[]
  export default samples
}
