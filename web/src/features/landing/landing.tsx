import { Carousel } from './carousel'
import { Features } from './features'
import { Footer } from './footer'
import { Hero } from './hero'
import { Pricing } from './pricing'
import { Showcase } from './showcase'

/** What a visitor sees at `/`. */
export default function Landing() {
  return (
    <>
      <Hero />
      <Showcase />
      <Carousel />
      <Features />
      <Pricing />
      <Footer />
    </>
  )
}
