import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { BookOut, EditionOut, TemplateMeasures } from '@/api/generated'
import { reader, renderApp } from '@/test/render-app'
import { book, forms, paperback, printers, sheet } from '../test-book'

const template = new File(['%PDF-1.7'], 'template.pdf', { type: 'application/pdf' })
const spark: EditionOut = {
  ...paperback,
  name: 'ingramspark-paperback',
  printer: 'ingramspark',
  paper: 'template',
  sheetWidth: 14,
  sheetHeight: 11,
  sheet: null,
}

/** A request with a file, which is answered with `answer` at once. */
class Sending {
  static answer: [status: number, body: object]
  static sent: [call: string, file: File][] = []
  status = 0
  statusText = ''
  responseText = ''
  upload = {}
  onload?: () => void
  call = ''
  open(method: string, url: string) {
    this.call = `${method} ${url}`
  }
  send(file: File) {
    Sending.sent.push([this.call, file])
    const [status, body] = Sending.answer
    this.status = status
    this.responseText = JSON.stringify(body)
    this.onload?.()
  }
}

beforeEach(() => {
  Sending.sent = []
  vi.stubGlobal('XMLHttpRequest', Sending)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

async function open() {
  const saved: unknown[] = []
  renderApp('/book/5', {
    'GET /api/auth/user': reader,
    'GET /api/trade': printers,
    'GET /api/books/forms': forms,
    'GET /api/spine': sheet,
    'GET /api/books/5': book({ editions: [spark] }),
    'PUT /api/books/5/editions/ingramspark-paperback': (body: unknown) => {
      saved.push(body)
      return book({ version: (body as BookOut).version + 1, editions: [{ ...spark, ...(body as EditionOut) }] })
    },
  })
  const picker = await screen.findByLabelText('Read the template PDF', { selector: 'input' })
  return { saved, choose: () => userEvent.upload(picker, template) }
}

const states = (stated: TemplateMeasures) => {
  Sending.answer = [200, stated]
}
const value = (label: string) => screen.getByRole('textbox', { name: label })

it('fills in what the template states as one step, which is saved and can be undone', async () => {
  states({ spine: 0.68, sheetWidth: 15, sheetHeight: 12 })
  const { saved, choose } = await open()
  await choose()
  expect(await screen.findByText(/^The page is 15 × 12 in\. The spine is 0\.68 in/)).toBeVisible()
  const call = 'POST /api/preflight/template?printer=ingramspark&binding=paperback&trim=6x9'
  expect(Sending.sent).toEqual([[call, template]])
  await waitFor(() => expect(saved.at(-1)).toMatchObject({ spine: 0.68, sheetWidth: 15, sheetHeight: 12 }))
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(value('Spine width in inches')).toHaveValue('')
  expect(value('Page width of the template in inches')).toHaveValue('14')
})

it('empties the page where it is the cover itself, and leaves a spine that the page does not tell', async () => {
  const { choose } = await open()
  states({ spine: 0.7, sheetWidth: null, sheetHeight: null })
  await choose()
  expect(await screen.findByText(/^The page is the cover with its bleed\./)).toBeVisible()
  expect(value('Page width of the template in inches')).toHaveValue('')
  states({ spine: null, sheetWidth: 15, sheetHeight: 12 })
  await choose()
  expect(await screen.findByText(/The spine cannot be told from the page/)).toBeVisible()
  expect(value('Spine width in inches')).toHaveValue('0.7')
})

it('says why a file was not read', async () => {
  Sending.answer = [422, { error: { code: 'file_unreadable', message: 'This file cannot be read.' } }]
  const { saved, choose } = await open()
  await choose()
  expect(await screen.findByRole('alert')).toHaveTextContent(/cannot be read/)
  expect(saved).toEqual([])
})
