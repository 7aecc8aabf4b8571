import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { cn } from '@/ui/cn'
import { CoverThumbnail } from '@/ui/cover/cover-thumbnail'
import { PictureSoFar } from '@/ui/generation/picture-so-far'
import { previewOf, type Variant } from '../../model/generation'

type Props = {
  variants: readonly Variant[]
  chosen: string
  /** Width by height of a cover that is not there yet. */
  proportion: number
  onChoose: (id: string) => void
  /** The chosen one was chosen again. */
  onOpen: () => void
}

/** The covers that are made at once, small: each a place of the right shape until it is there. */
export function VariantStrip({ variants, chosen, proportion, onChoose, onOpen }: Props) {
  const { t } = useTranslation()
  const { number } = useFormat()
  return (
    <ul
      aria-label={t('generator.variants.label')}
      className="mt-5 flex justify-center gap-3 [--height:5rem] lg:[--height:6rem]"
    >
      {variants.map((variant, place) => {
        const name = { number: number(place + 1), all: number(variants.length) }
        const pressed = variant.id === chosen
        const shape = variant.step === 'done' ? variant.cover.width / variant.cover.height : proportion
        return (
          <li key={variant.id} className="flex">
            <button
              type="button"
              aria-pressed={pressed}
              aria-label={t(`generator.variants.${variant.step}`, name)}
              aria-keyshortcuts={String(place + 1)}
              onClick={() => (pressed ? onOpen() : onChoose(variant.id))}
              className={cn(
                'h-(--height) rounded-cover outline-offset-3',
                pressed && 'outline-2 outline-accent',
                !pressed && 'focus-visible:outline-2 focus-visible:outline-accent',
              )}
              style={{ width: `calc(var(--height) * ${shape})` }}
            >
              <Small variant={variant} />
            </button>
          </li>
        )
      })}
    </ul>
  )
}

function Small({ variant }: { variant: Variant }) {
  const soFar = previewOf(variant)
  if (variant.step === 'running')
    return (
      <span aria-hidden className="relative block size-full overflow-hidden rounded-cover bg-line">
        {soFar !== undefined && <PictureSoFar id={variant.id} number={soFar} />}
        <span className="being-made relative block size-full" />
      </span>
    )
  if (variant.step === 'failed') {
    return (
      <span className="grid size-full place-items-center rounded-cover border border-dashed border-line-strong text-danger">
        <CircleAlert aria-hidden className="size-5" />
      </span>
    )
  }
  const { cover } = variant
  return <CoverThumbnail cover={cover} eager className="animate-fade-up" />
}
