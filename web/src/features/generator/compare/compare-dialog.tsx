import { ArrowLeftRight } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { useShortcut } from '@/lib/hooks/use-shortcut'
import { Button } from '@/ui/button'
import { nextZoom, ZOOMS, type Zoom } from '@/ui/cover/zoom-pane'
import { Field, Select } from '@/ui/form/field'
import { SegmentedControl } from '@/ui/form/radio-group'
import { Dialog, DialogContent } from '@/ui/overlay/dialog'
import { Beside, type Compared, Fade, Slider } from './compare-panes'

type Props = {
  /** Two at least. */
  covers: readonly Compared[]
  /** Id of the one that stands first. */
  first?: number
  onClose: () => void
}

const modes = ['slider', 'side', 'fade'] as const
type Mode = (typeof modes)[number]

/** How far an arrow key moves the divider, in percent. */
const STEP = 5

/** How far the view moves at a key, in px. */
const PAN = 80
const STEPS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Two covers against each other: one over the other with a divider or fading, or side by side; enlarged alike. */
export default function CompareDialog({ covers, first, onClose }: Props) {
  const { t } = useTranslation()
  const { percent } = useFormat()
  const start = Math.max(
    0,
    covers.findIndex(({ cover }) => cover.id === first),
  )
  const [pair, setPair] = useState<readonly [number, number]>([start, start === 0 ? 1 : 0])
  const [mode, setMode] = useState<Mode>('slider')
  const [share, setShare] = useState(50)
  const [zoom, setZoom] = useState<Zoom>(1)
  const control = useRef<HTMLInputElement>(null)
  const view = useRef<HTMLDivElement>(null)
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

  // the panes follow each other, so that one is enough
  const pan = ({ key }: KeyboardEvent) => {
    const [x, y] = STEPS[key] ?? [0, 0]
    view.current?.querySelector('.overflow-auto')?.scrollBy(x * PAN, y * PAN)
  }

  const here = { group: 'compare', dialog: true } as const
  useShortcut('c', t('shortcuts.swap'), swap, here)
  useShortcut(
    'm',
    t('shortcuts.mode'),
    () => setMode(modes[(modes.indexOf(mode) + 1) % modes.length] ?? 'slider'),
    here,
  )
  useShortcut('z', t('shortcuts.zoom'), () => setZoom(nextZoom(zoom)), here)
  useShortcut(['shift+arrowleft', 'shift+arrowright', 'shift+arrowup', 'shift+arrowdown'], t('shortcuts.pan'), pan, {
    ...here,
    when: zoom > 1,
  })
  const sliding = { ...here, when: mode !== 'side' }
  useShortcut('arrowleft', t('shortcuts.dividerLeft'), () => move(-STEP), sliding)
  useShortcut('arrowright', t('shortcuts.dividerRight'), () => move(STEP), sliding)
  // with the focus on it, where the browser alone would go in steps too small
  useShortcut('arrowleft', t('shortcuts.dividerLeft'), () => move(-STEP), { ...sliding, within: control })
  useShortcut('arrowright', t('shortcuts.dividerRight'), () => move(STEP), { ...sliding, within: control })
  const several = { ...here, when: covers.length > 2 }
  useShortcut(['alt+arrowup', 'alt+arrowleft'], t('shortcuts.previousCompared'), () => turn(-1), several)
  useShortcut(['alt+arrowdown', 'alt+arrowright'], t('shortcuts.nextCompared'), () => turn(1), several)

  if (!a || !b) return null
  const shown = { a, b, zoom }
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
        <div ref={view} className="rounded-lg bg-sunken p-4 md:p-6">
          {mode === 'slider' && <Slider {...shown} share={share} onShare={setShare} control={control} />}
          {mode === 'fade' && <Fade {...shown} share={share} onShare={setShare} control={control} />}
          {mode === 'side' && <Beside {...shown} />}
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
          <SegmentedControl
            legend={t('shortcuts.zoom')}
            hideLegend
            name="compare-zoom"
            value={String(zoom)}
            options={ZOOMS.map((value) => ({ value: String(value), label: percent(value) }))}
            onChange={(value) => setZoom(ZOOMS.find((known) => String(known) === value) ?? 1)}
          />
        </div>
      </DialogContent>
    </Dialog>
  )
}
