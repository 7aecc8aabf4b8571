import { ArrowLeftRight } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { useShortcut } from '@/lib/hooks/use-shortcut'
import { Button } from '@/ui/button'
import { CoverPicture } from '@/ui/cover/cover-picture'
import { Field, Select } from '@/ui/form/field'
import { SegmentedControl } from '@/ui/form/radio-group'
import { Dialog, DialogContent } from '@/ui/overlay/dialog'

export type Compared = { cover: CoverOut; label: string }

type Props = {
  /** Two at least. */
  covers: readonly Compared[]
  /** Id of the one that stands first. */
  first?: number
  onClose: () => void
}

const modes = ['slider', 'side'] as const
type Mode = (typeof modes)[number]

/** How far an arrow key moves the divider, in percent. */
const STEP = 5

/** Two covers against each other: one over the other with a divider, or side by side. */
export default function CompareDialog({ covers, first, onClose }: Props) {
  const { t } = useTranslation()
  const start = Math.max(
    0,
    covers.findIndex(({ cover }) => cover.id === first),
  )
  const [pair, setPair] = useState<readonly [number, number]>([start, start === 0 ? 1 : 0])
  const [mode, setMode] = useState<Mode>('slider')
  const [share, setShare] = useState(50)
  const divider = useRef<HTMLInputElement>(null)
  const [a, b] = [covers[pair[0]], covers[pair[1]]]

  const swap = () => setPair(([one, other]) => [other, one])
  const move = (by: number) => setShare((now) => Math.min(100, Math.max(0, now + by)))
  // turns the second one over to its neighbor, past the first
  const turn = (by: number) =>
    setPair(([one, other]) => {
      let next = other
      do next = (next + by + covers.length) % covers.length
      while (next === one)
      return [one, next]
    })

  const here = { group: 'compare', dialog: true } as const
  useShortcut('c', t('shortcuts.swap'), swap, here)
  useShortcut('m', t('shortcuts.mode'), () => setMode(mode === 'slider' ? 'side' : 'slider'), here)
  const sliding = { ...here, when: mode === 'slider' }
  useShortcut('arrowleft', t('shortcuts.dividerLeft'), () => move(-STEP), sliding)
  useShortcut('arrowright', t('shortcuts.dividerRight'), () => move(STEP), sliding)
  // with the focus on it, where the browser alone would go in steps too small
  useShortcut('arrowleft', t('shortcuts.dividerLeft'), () => move(-STEP), { ...sliding, within: divider })
  useShortcut('arrowright', t('shortcuts.dividerRight'), () => move(STEP), { ...sliding, within: divider })
  const several = { ...here, when: covers.length > 2 }
  useShortcut(['alt+arrowup', 'alt+arrowleft'], t('shortcuts.previousCompared'), () => turn(-1), several)
  useShortcut(['alt+arrowdown', 'alt+arrowright'], t('shortcuts.nextCompared'), () => turn(1), several)

  if (!a || !b) return null
  const pick = (place: 0 | 1) => (
    <Field label={t(place === 0 ? 'generator.compare.first' : 'generator.compare.second')}>
      {(aria) => (
        <Select
          {...aria}
          value={pair[place]}
          onChange={({ target }) => {
            const chosen = Number(target.value)
            const other = pair[place === 0 ? 1 : 0]
            if (chosen === other) swap()
            else setPair(place === 0 ? [chosen, pair[1]] : [pair[0], chosen])
          }}
        >
          {covers.map(({ cover, label }, index) => (
            <option key={cover.id} value={index}>
              {label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )

  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent title={t('generator.compare.title')} className="max-w-5xl">
        <div className="rounded-lg bg-sunken p-4 md:p-6">
          {mode === 'slider' ? (
            <Slider a={a} b={b} share={share} onShare={setShare} divider={divider} />
          ) : (
            <div className="grid grid-cols-2 gap-4 md:gap-8">
              <Beside one={a} />
              <Beside one={b} />
            </div>
          )}
        </div>
        <div className="mt-5 flex flex-wrap items-end gap-x-4 gap-y-3">
          <div className="flex min-w-0 flex-1 items-end gap-2 max-sm:basis-full">
            <div className="min-w-0 flex-1 sm:max-w-56">{pick(0)}</div>
            <Button
              variant="outline"
              size="icon"
              className="size-11"
              aria-label={t('generator.compare.swap')}
              aria-keyshortcuts="c"
              onClick={swap}
            >
              <ArrowLeftRight />
            </Button>
            <div className="min-w-0 flex-1 sm:max-w-56">{pick(1)}</div>
          </div>
          <SegmentedControl
            legend={t('generator.compare.mode')}
            hideLegend
            name="compare-mode"
            value={mode}
            options={modes.map((value) => ({ value, label: t(`generator.compare.${value}`) }))}
            onChange={setMode}
          />
        </div>
      </DialogContent>
    </Dialog>
  )
}

function Picture({ one, className }: { one: Compared; className?: string }) {
  const { t } = useTranslation()
  const { cover } = one
  const title = cover.title || t('generator.preview.untitled')
  return (
    <CoverPicture
      key={cover.id}
      eager
      src={cover.previewUrl}
      alt={t('generator.compare.alt', { label: one.label, title })}
      width={cover.width}
      height={cover.height}
      tint={cover.tint}
      placeholder={cover.placeholder}
      className={className}
    />
  )
}

function Beside({ one }: { one: Compared }) {
  const { cover, label } = one
  return (
    <figure className="@container grid min-w-0 justify-items-center">
      <div style={{ width: `min(100cqw, 56dvh * ${cover.width / cover.height})` }}>
        <Picture one={one} />
      </div>
      <figcaption className="mt-3 max-w-full truncate text-sm text-ink-2">
        <bdi>{label}</bdi>
      </figcaption>
    </figure>
  )
}

type SliderProps = {
  a: Compared
  b: Compared
  share: number
  onShare: (share: number) => void
  divider: RefObject<HTMLInputElement | null>
}

/** The first on the left of the divider, the second on its right, in every language: they are pictures. */
function Slider({ a, b, share, onShare, divider }: SliderProps) {
  const { t } = useTranslation()
  const { percent } = useFormat()
  const { width, height } = a.cover
  return (
    <div className="@container">
      <div
        dir="ltr"
        className="relative mx-auto rounded-cover has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-accent"
        style={{ width: `min(100cqw, 60dvh * ${width / height})`, aspectRatio: `${width} / ${height}` }}
      >
        <Picture one={a} />
        <div
          className="absolute inset-0 grid place-items-center bg-sunken"
          style={{ clipPath: `inset(0 0 0 ${share}%)` }}
        >
          <div
            className="max-h-full"
            style={{
              width: `min(100%, 100% * ${(b.cover.width / b.cover.height) * (height / width)})`,
            }}
          >
            <Picture one={b} />
          </div>
        </div>
        <div
          aria-hidden
          className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-white shadow-2"
          style={{ insetInlineStart: `${share}%` }}
        >
          <span className="absolute top-1/2 inset-s-1/2 grid size-9 -translate-x-1/2 -translate-y-1/2 place-items-center rounded-full bg-white text-black shadow-2">
            <ArrowLeftRight className="size-4" />
          </span>
        </div>
        <input
          ref={divider}
          type="range"
          min={0}
          max={100}
          step={1}
          value={share}
          onChange={({ target }) => onShare(Number(target.value))}
          aria-label={t('generator.compare.divider')}
          aria-valuetext={t('generator.compare.share', { share: percent(share / 100), label: a.label })}
          className="absolute inset-0 size-full cursor-ew-resize opacity-0"
        />
      </div>
    </div>
  )
}
