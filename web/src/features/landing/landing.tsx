import { startTransition, useEffect, useState } from 'react'
import { Carousel } from './carousel/carousel'
import { Features } from './features'
import { Footer } from './footer'
import { Hero } from './hero'
import { Pricing } from './pricing'
import { Showcase } from './showcase'

/** What a visitor sees at `/`: the top at once, all below it while the browser has nothing better to do. */
export default function Landing() {
  return (
    <>
      <Hero />
      <BelowHero />
    </>
  )
}

// apart, so that the top is not built once more with it
function BelowHero() {
  // who comes for a section must find it there
  const [built, setBuilt] = useState(() => window.location.hash !== '')
  useEffect(() => startTransition(() => setBuilt(true)), [])
  return (
    built && (
      <>
        <Showcase />
        <Carousel />
        <Features />
        <Pricing />
        <Footer />
      </>
    )
  )
}
