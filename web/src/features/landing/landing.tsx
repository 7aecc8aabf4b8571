import { startTransition, useEffect, useState } from 'react'
import { Carousel } from './carousel/carousel'
import { Features } from './features'
import { Footer } from './footer'
import { Hero } from './hero'
import { Pricing } from './pricing'
import { Showcase } from './showcase'

/** What a visitor sees at `/`: the top at once, all below it while the browser has nothing better to do. */
export default function Landing() {
  // who comes for a section must find it there
  const [whole, setWhole] = useState(() => window.location.hash !== '')
  useEffect(() => startTransition(() => setWhole(true)), [])
  return (
    <>
      <Hero />
      {whole && (
        <>
          <Showcase />
          <Carousel />
          <Features />
          <Pricing />
          <Footer />
        </>
      )}
    </>
  )
}
