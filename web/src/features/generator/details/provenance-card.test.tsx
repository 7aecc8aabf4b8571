import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { ProvenanceOut } from '@/api/generated'
import { createQueryClient } from '@/api/query-client'
import { ProvenanceCard } from './provenance-card'

const step = {
  provider: 'OpenAI',
  model: 'gpt-image',
  byProgram: false,
  words: 'a lighthouse',
  references: 0,
  madeAt: '2026-11-01T10:00:00Z',
}

function show(told: ProvenanceOut) {
  vi.stubGlobal('fetch', async () => Response.json(told))
  render(
    <QueryClientProvider client={createQueryClient(() => undefined)}>
      <ProvenanceCard coverId={7} />
    </QueryClientProvider>,
  )
}

it('tells a model, its words, what was changed, and that shops are to be told', async () => {
  const changed = { ...step, words: 'darker', references: 2 }
  show({
    steps: [step, changed],
    lettersByModel: false,
    aiMade: true,
    sourceType: 'trainedAlgorithmicMedia',
    isSigned: true,
  })
  expect(await screen.findByText(/^Picture: made by the AI model gpt-image \(OpenAI\) on .*2026/)).toBeVisible()
  expect(screen.getByText(/^Picture changed by the AI model gpt-image/)).toBeVisible()
  expect(screen.getByText('From these words: “a lighthouse”')).toBeVisible()
  expect(screen.getByText('Reference pictures that it was made after: 2.')).toBeVisible()
  expect(screen.getByText(/^Answer for the cover: Yes, images\./)).toBeVisible()
  expect(screen.getByText(/IPTC metadata \(trainedAlgorithmicMedia\) and in a signed C2PA manifest/)).toBeVisible()
})

it('says of a program that it is no AI model, and that the answer is no', async () => {
  const drawn = { ...step, provider: 'Atelier', model: 'atelier-1', byProgram: true }
  show({ steps: [drawn], lettersByModel: false, aiMade: false, sourceType: 'algorithmicMedia', isSigned: false })
  expect(await screen.findByText(/drawn by the program Atelier .* no trained AI model made it\.$/)).toBeVisible()
  expect(screen.getByText(/^Answer for the cover: No\./)).toBeVisible()
  expect(screen.getByText(/in their IPTC metadata, too: algorithmicMedia\.$/)).toBeVisible()
})
