import { type PointerEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArtworkView, Lettering } from '@/api/generated'
import { Button } from '@/ui/button'
import { isPlain, PLAIN, viewOf } from '@/ui/cover/artwork-view'
import { ShareSlider } from './fields/slider'

type Props = {
  lettering: Lettering
  artworkUrl: string
  /** Width to height of the panel. */
  ratio: number
  onChange: (lettering: Lettering, field: string) => void
}

const share = (value: number) => `${(value * 100).toFixed(2)}%`
const held = (value: number) => Math.min(Math.max(value, 0), 1)

/** How the artwork lies below the words: what part of it is seen, how dark and how soft. */
export function PicturePanel({ lettering, artworkUrl, ratio, onChange }: Props) {
  const { t } = useTranslation()
  const [own, setOwn] = useState(ratio)
  const view = viewOf(lettering)
  const set = (change: ArtworkView, field: string) =>
    onChange({ ...lettering, artwork: { ...view, ...change } }, `artwork-${field}`)
  // the part of the artwork that is seen, in shares of it
  const seen = {
    width: Math.min(1, ratio / own) / view.zoom,
    height: Math.min(1, own / ratio) / view.zoom,
  }
  const free = { x: 1 - seen.width > 0.001, y: 1 - seen.height > 0.001 }

  function focus(event: PointerEvent<HTMLElement>) {
    if (event.type === 'pointermove' && event.buttons !== 1) return
    const box = event.currentTarget.getBoundingClientRect()
    const to = (at: number, length: number) => (length < 1 ? held((at - length / 2) / (1 - length)) : 0.5)
    const x = to((event.clientX - box.left) / box.width, seen.width)
    const y = to((event.clientY - box.top) / box.height, seen.height)
    set({ ...(free.x && { x }), ...(free.y && { y }) }, 'focus')
  }

  return (
    <section aria-labelledby="studio-picture" className="grid gap-5">
      <div>
        <h2 id="studio-picture" className="font-medium">
          {t('studio.picture.title')}
        </h2>
        <p className="mt-1 text-note text-ink-3">{t('studio.picture.lead')}</p>
      </div>
      <div
        dir="ltr"
        className="relative mx-auto h-48 touch-none overflow-hidden rounded-sm bg-sunken"
        style={{ aspectRatio: own }}
        onPointerDown={focus}
        onPointerMove={focus}
      >
        <img
          src={artworkUrl.replace('size=960', 'size=320')}
          alt=""
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
            if (naturalWidth && naturalHeight) setOwn(naturalWidth / naturalHeight)
          }}
          className="size-full select-none"
        />
        <span
          className="pointer-events-none absolute rounded-xs shadow-[0_0_0_999px_rgb(0_0_0/0.55)] outline-2 outline-white -outline-offset-2"
          style={{
            insetInlineStart: share(view.x * (1 - seen.width)),
            top: share(view.y * (1 - seen.height)),
            width: share(seen.width),
            height: share(seen.height),
          }}
        />
      </div>
      <div className="grid gap-3">
        <ShareSlider
          label={t('studio.picture.zoom')}
          min={1}
          max={4}
          step={0.05}
          value={view.zoom}
          onChange={(zoom) => set({ zoom }, 'zoom')}
        />
        <ShareSlider
          label={t('studio.picture.across')}
          step={0.01}
          value={view.x}
          disabled={!free.x}
          onChange={(x) => set({ x }, 'across')}
        />
        <ShareSlider
          label={t('studio.picture.down')}
          step={0.01}
          value={view.y}
          disabled={!free.y}
          onChange={(y) => set({ y }, 'down')}
        />
        {!free.x && !free.y && <p className="text-note text-ink-3">{t('studio.picture.whole')}</p>}
        <ShareSlider
          label={t('studio.picture.darken')}
          max={0.9}
          value={view.darken}
          onChange={(darken) => set({ darken }, 'darken')}
        />
        <ShareSlider label={t('studio.picture.blur')} value={view.blur} onChange={(blur) => set({ blur }, 'blur')} />
      </div>
      <Button variant="outline" disabled={isPlain(view)} onClick={() => set(PLAIN, 'reset')}>
        {t('studio.picture.reset')}
      </Button>
    </section>
  )
}
