import type { i18n } from 'i18next'
import type { ReactNode } from 'react'
import { I18nextProvider, useTranslation } from 'react-i18next'
import { GeneratorHeading } from './features/generator/components/generator-heading'
import { HeroFrame } from './features/landing/hero-frame'
import { Textarea } from './ui/form/field'
import { Skeleton, Spinner } from './ui/states'

function Landing() {
  return (
    <Frame>
      <HeroFrame>
        <Waiting className="mt-8 h-44 max-w-[38rem] rounded-xl" />
      </HeroFrame>
    </Frame>
  )
}

function Home() {
  const { t } = useTranslation()
  return (
    <Frame>
      <div className="grid min-h-below-header grid-cols-1 lg:grid-cols-[25rem_minmax(0,1fr)]">
        <div className="px-4 pt-6 md:px-8 lg:border-e lg:border-line lg:px-6">
          <GeneratorHeading />
          <p className="mb-1.5 text-sm font-medium">{t('generator.prompt.label')}</p>
          <Textarea
            readOnly
            aria-hidden
            tabIndex={-1}
            rows={5}
            placeholder={t('generator.prompt.placeholder')}
            className="block min-h-32"
          />
          <Spinner className="mt-10" />
        </div>
        <div className="bg-sunken" />
      </div>
    </Frame>
  )
}

/** As high as the header of every page. */
function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      <div className="h-[calc(4rem+1px)] border-b border-line" />
      {children}
    </>
  )
}

function Waiting({ className }: { className: string }) {
  return (
    <div className="relative">
      <Skeleton className={className} />
      <Spinner className="absolute inset-0" />
    </div>
  )
}

/** Name → what the server sends of a screen before a script has run. Nothing in here may ask for data. */
export const firstScreens = { landing: Landing, home: Home }

/** The first words of a screen where they will stay, so that a slow phone shows them at once. */
export function FirstScreen({ name, i18n }: { name: keyof typeof firstScreens; i18n: i18n }) {
  const Screen = firstScreens[name]
  return (
    <I18nextProvider i18n={i18n}>
      <Screen />
    </I18nextProvider>
  )
}
