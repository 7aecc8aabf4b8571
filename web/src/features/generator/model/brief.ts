import * as v from 'valibot'
import type { ElementIn, GenerateCoverIn, GeneratorSettings, ImageChoice } from '@/api/generated'
import { i18n } from '@/i18n'
import {
  CUSTOM_HEIGHT,
  CUSTOM_WIDTH,
  type Dimensions,
  isCustomHeight,
  isCustomWidth,
  isDimensions,
  parseInches,
} from './formats'

/** The server's limits, in characters. */
export const LENGTHS = {
  prompt: 500,
  title: 100,
  author: 100,
  genre: 50,
  subtitle: 200,
  series: 200,
  number: 40,
  tagline: 300,
} as const

/** Words that not every cover has. */
export const MORE_WORDS = ['subtitle', 'series', 'number', 'tagline'] as const

/** What stands on a cover. */
export const WORDS = ['title', 'author', ...MORE_WORDS] as const

/** The words of a brief, a cover or a generation. */
export const wordsOf = (source: Pick<Brief, (typeof WORDS)[number]>) =>
  Object.fromEntries(WORDS.map((name) => [name, source[name]])) as Pick<Brief, (typeof WORDS)[number]>

export const NO_THEME = 'none'

/** The largest seed that the server takes. */
export const MAX_SEED = 2 ** 31 - 1

const isSeed = (text: string) => /^\d{1,10}$/.test(text.trim()) && Number(text) <= MAX_SEED

/** What a reader says about a book, as the form holds it. */
export type Brief = {
  prompt: string
  title: string
  author: string
  subtitle: string
  series: string
  /** The volume's place in the series, as it is to be read. */
  number: string
  tagline: string
  /** Whether the picture's own model draws title and author, where one may be asked to. */
  lettersByModel: boolean
  /** Id of the style that was chosen for the words; blank for the press's own choice. */
  style: string
  genre: string
  /** What is to be seen, as the reader chose it; null while the words say it. */
  elements: ElementIn[] | null
  useDefaultGenre: boolean
  dimensions: Dimensions
  customWidth: string
  customHeight: string
  theme: string
  /** Id of the image service, blank for whichever comes first. */
  service: string
  /** A model of that service, blank for its usual one. */
  model: string
  /** Where the service's chance begins, as typed; blank for anywhere. */
  seed: string
  /** How many covers are made at once. */
  count: number
}

export const emptyBrief: Brief = {
  prompt: '',
  title: '',
  author: '',
  subtitle: '',
  series: '',
  number: '',
  tagline: '',
  lettersByModel: false,
  style: '',
  genre: '',
  elements: null,
  useDefaultGenre: false,
  dimensions: '6x9',
  customWidth: '',
  customHeight: '',
  theme: NO_THEME,
  service: '',
  model: '',
  seed: '',
  count: 1,
}

export const BRIEF_FIELDS = Object.keys(emptyBrief) as (keyof Brief)[]

/** Length as the server counts it: letters, not halves of surrogate pairs. */
export const lengthOf = (text: string) => [...text].length

/** Whether something stored looks like an element; the server says whether it is one. */
export const isElement = (value: unknown): value is ElementIn =>
  typeof value === 'object' && value !== null && 'kind' in value && 'id' in value

const atMost = (max: number) =>
  v.check<string, () => string>(
    (text) => lengthOf(text) <= max,
    () => i18n.t('generator.invalid.long', { max }),
  )

/** The rules of the form. Every broken one is reported, in the reader's language. A default prompt excuses a blank one. */
export function briefSchema(settings: GeneratorSettings | undefined) {
  const mayBeBlank = Boolean(settings?.defaultValues.prompt)
  const outOf = ({ min, max }: { min: number; max: number }) =>
    i18n.t('generator.invalid.side', { min: String(min), max: String(max) })
  return v.pipe(
    v.object({
      prompt: v.pipe(
        v.string(),
        v.check(
          (text) => mayBeBlank || text.trim() !== '',
          () => i18n.t('generator.missingPrompt.body'),
        ),
        atMost(LENGTHS.prompt),
      ),
      title: v.pipe(v.string(), atMost(LENGTHS.title)),
      author: v.pipe(v.string(), atMost(LENGTHS.author)),
      subtitle: v.pipe(v.string(), atMost(LENGTHS.subtitle)),
      series: v.pipe(v.string(), atMost(LENGTHS.series)),
      number: v.pipe(v.string(), atMost(LENGTHS.number)),
      tagline: v.pipe(v.string(), atMost(LENGTHS.tagline)),
      lettersByModel: v.boolean(),
      style: v.string(),
      genre: v.pipe(v.string(), atMost(LENGTHS.genre)),
      elements: v.nullable(v.array(v.custom<ElementIn>(isElement))),
      useDefaultGenre: v.boolean(),
      dimensions: v.custom<Dimensions>(isDimensions),
      customWidth: v.string(),
      customHeight: v.string(),
      theme: v.string(),
      service: v.string(),
      model: v.string(),
      seed: v.pipe(
        v.string(),
        v.check(
          (text) => !text.trim() || isSeed(text),
          () => i18n.t('generator.invalid.seed', { max: String(MAX_SEED) }),
        ),
      ),
      count: v.number(),
    }),
    v.forward(
      v.check(
        (brief) => brief.dimensions !== 'custom' || isCustomWidth(brief.customWidth),
        () => outOf(CUSTOM_WIDTH),
      ),
      ['customWidth'],
    ),
    v.forward(
      v.check(
        (brief) => brief.dimensions !== 'custom' || isCustomHeight(brief.customHeight),
        () => outOf(CUSTOM_HEIGHT),
      ),
      ['customHeight'],
    ),
  )
}

/** The service that a brief asks for, if it is offered. */
export const serviceOf = (brief: Pick<Brief, 'service'>, choices: readonly ImageChoice[]) =>
  choices.find(({ instanceId }) => instanceId === brief.service)

/**
 * The brief as the server takes it. The check box counts only while it is offered and the genre is blank, a service and
 * its model only while they are offered.
 */
export function toRequest(
  brief: Brief,
  settings: GeneratorSettings | undefined,
  choices: readonly ImageChoice[] = [],
): GenerateCoverIn {
  const custom = brief.dimensions === 'custom'
  const service = serviceOf(brief, choices)
  const model = service?.models.find((name) => name === brief.model)
  const defaultGenre = settings?.showGenreCheckbox && brief.useDefaultGenre && !brief.genre.trim()
  return {
    prompt: brief.prompt.trim(),
    title: brief.title.trim(),
    author: brief.author.trim(),
    genre: brief.genre.trim(),
    ...Object.fromEntries(MORE_WORDS.map((name) => [name, brief[name].trim()]).filter(([, text]) => text)),
    ...(brief.lettersByModel ? { lettering: 'model' as const } : brief.style && { letteringStyle: brief.style }),
    ...(brief.elements && { elements: brief.elements }),
    dimensions: brief.dimensions,
    ...(custom && { customWidth: parseInches(brief.customWidth), customHeight: parseInches(brief.customHeight) }),
    ...(brief.theme !== NO_THEME && { themeId: Number(brief.theme) }),
    ...(defaultGenre && { useDefaultGenre: true }),
    ...(service && { instanceId: service.instanceId }),
    ...(model && { model }),
    ...(brief.seed.trim() && { seed: Number(brief.seed) }),
    ...(brief.count > 1 && { count: brief.count }),
  }
}
