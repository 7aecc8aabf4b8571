/** Letters that the press has set, as an SVG, over whatever they stand on. */
export function Outlines({ svg }: { svg: string }) {
  return (
    <img
      src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
      alt=""
      // at once: the letters that stood there before are gone with the address
      decoding="sync"
      draggable={false}
      data-outlines
      className="absolute inset-0 size-full"
    />
  )
}
