import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getTradeOptions } from '@/api/generated/@tanstack/react-query.gen'
import listed from '../../../../../kernel/press/editions/rules.json' with { type: 'json' }

const AREAS = ['document', 'place', 'color', 'picture'] as const

/** The rules by area, and the printers whose they are. The server writes the same for those who run no scripts. */
export function WhatIsChecked() {
  const { t } = useTranslation()
  const { data: printers } = useSuspenseQuery(getTradeOptions())
  return (
    <>
      <section className="mt-16">
        <h2 className="display text-2xl">{t('preflight.checked')}</h2>
        <div className="mt-6 grid grid-cols-1 gap-8 sm:grid-cols-2 lg:grid-cols-4">
          {AREAS.map((area) => (
            <div key={area}>
              <h3 className="font-medium">{t(`preflight.areas.${area}`)}</h3>
              <ul className="mt-2 grid gap-1.5 text-sm text-ink-2">
                {listed[area].map((rule) => (
                  <li key={rule}>{t(`preflight.names.${rule as 'bleed'}`)}</li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </section>
      <section className="mt-10">
        <h2 className="display text-2xl">{t('preflight.printers')}</h2>
        <ul className="mt-4 grid gap-1.5 text-sm text-ink-2">
          {printers.map(({ id, name, bindings }) => (
            <li key={id}>
              <bdi>{name}</bdi>
              {`: ${bindings.map((binding) => t(`spine.bindings.${binding.id as 'paperback'}`)).join(' · ')}`}
            </li>
          ))}
        </ul>
      </section>
      <p className="mt-6">
        <Link to="/spine" className="text-ink underline underline-offset-4">
          {t('spine.title')}
        </Link>
      </p>
    </>
  )
}
