/** The signed-in home screen, at `/` and `/gallery`: its sections, stacked. */
export default function Home() {
  return null
}
