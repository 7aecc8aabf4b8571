import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { cn } from '@/ui/cn'
import { Field, Input } from '@/ui/form/field'
import type { Brief } from '../../model/brief'
import {
  CUSTOM_HEIGHT,
  CUSTOM_WIDTH,
  type Dimensions,
  dimensions,
  type Inches,
  isCustomHeight,
  isCustomWidth,
  pixels,
  trimSize,
} from '../../model/formats'

type Props = {
  value: Dimensions
  /** What is to be chosen from; a chosen one that is not among them is shown with them. */
  choices?: readonly Dimensions[]
  /** Which formats there are now; all while that is not known. */
  offered: readonly string[] | undefined
  /** Formats that the service makes smaller than they are printed. */
  upscaled: readonly string[]
  customWidth: string
  customHeight: string
  register: UseFormRegister<Brief>
  errors: FieldErrors<Brief>
}

/** The trim size: three usual ones and one of the reader's own. */
export function FormatChoice({
  value,
  choices = dimensions,
  offered,
  upscaled,
  customWidth,
  customHeight,
  register,
  errors,
}: Props) {
  const { t } = useTranslation()
  const { size, dots } = useSizes()
  const known = value !== 'custom' || (isCustomWidth(customWidth) && isCustomHeight(customHeight))
  const isOffered = (choice: Dimensions) => !offered || offered.includes(choice)
  const shown = choices.includes(value) ? choices : [...choices, value]
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm font-medium">{t('generator.format.label')}</legend>
      <div className="grid grid-cols-2 gap-2">
        {shown.filter(isOffered).map((choice) => {
          const trim = trimSize(choice, customWidth, customHeight)
          return (
            <label
              key={choice}
              className="relative flex cursor-pointer items-center gap-3 rounded-md bg-surface p-2.5 ring-1 ring-line-strong transition-shadow ring-inset hover:ring-ink-3 has-checked:ring-2 has-checked:ring-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <input type="radio" value={choice} {...register('dimensions')} className="sr-only" />
              <Sheet width={trim.width} height={trim.height} open={choice === 'custom'} />
              <span className="min-w-0 leading-tight">
                <span className="block truncate text-note font-medium">{t(`generator.format.${choice}`)}</span>
                <span className="mt-0.5 block truncate text-xs text-ink-3 tabular-nums">
                  {choice === 'custom' ? t('generator.format.own') : size(trim)}
                </span>
              </span>
            </label>
          )
        })}
      </div>
      {value === 'custom' && (
        <div className="mt-3 grid grid-cols-2 gap-3">
          <Side name="customWidth" range={CUSTOM_WIDTH} register={register} error={errors.customWidth?.message} />
          <Side name="customHeight" range={CUSTOM_HEIGHT} register={register} error={errors.customHeight?.message} />
        </div>
      )}
      <p className="mt-2 min-h-4 text-xs text-ink-3 tabular-nums">
        {known && dots(trimSize(value, customWidth, customHeight))}
        {upscaled.includes(value) && ` · ${t('generator.format.enlarged')}`}
      </p>
    </fieldset>
  )
}

type SideProps = {
  name: 'customWidth' | 'customHeight'
  range: { min: number; max: number }
  register: UseFormRegister<Brief>
  error: string | undefined
}

function Side({ name, range, register, error }: SideProps) {
  const { t } = useTranslation()
  const { inch } = useSizes()
  const hint = t('generator.format.range', { min: inch(range.min), max: inch(range.max) })
  return (
    <Field label={t(`generator.format.${name}`)} hint={hint} error={error}>
      {(aria) => <Input dir="ltr" inputMode="decimal" autoComplete="off" {...aria} {...register(name)} />}
    </Field>
  )
}

function useSizes() {
  const { t } = useTranslation()
  const { number, decimal } = useFormat()
  return {
    inch: decimal,
    size: ({ width, height }: Inches) =>
      t('generator.format.inches', { width: decimal(width), height: decimal(height) }),
    dots: (trim: Inches) => {
      const { width, height } = pixels(trim)
      return t('generator.format.pixels', { width: number(width), height: number(height) })
    },
  }
}

/** The proportion of a format, drawn. */
function Sheet({ width, height, open }: { width: number; height: number; open: boolean }) {
  const tall = 30
  const wide = (tall * width) / height
  return (
    <svg aria-hidden="true" width="32" height="34" viewBox="0 0 32 34" className="shrink-0 text-ink-3">
      <rect
        x={(32 - wide) / 2}
        y="2"
        width={wide}
        height={tall}
        rx="1.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        className={cn(open && '[stroke-dasharray:3_2.5]')}
      />
    </svg>
  )
}
