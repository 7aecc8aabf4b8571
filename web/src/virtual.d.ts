declare module 'virtual:showcase' {
  /** A sample cover rendered for the landing page: file names below `/showcase/`, by width in pixels. */
  type Card = { title: string; author: string; genre: string; images: Record<'272' | '544', string> }
  const listing: { showcase: readonly Card[]; carousel: readonly Card[] }
  export default listing
}
