import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Refusal, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { draft, office } from '../test-data'

afterEach(() => {
  act(dismissToast)
  vi.unstubAllGlobals()
})

const TEST = 'POST /api/admin/email/drafts/test'
const opened = {
  ...office,
  [`GET /api/admin/email/drafts/${draft().id}`]: draft({ versions: { de: { subject: 'Neues', htmlBody: 'Neues' } } }),
}

async function open(user: ReturnType<typeof userEvent.setup>) {
  await user.click(await screen.findByRole('button', { name: 'Send test' }))
  return within(await screen.findByRole('dialog', { name: 'Send a test email' }))
}

describe('a test of what is being written', () => {
  it('goes to several addresses, in one language or in all', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp(`/admin/email-broadcast?draft=${draft().id}`, {
      ...opened,
      [TEST]: [
        { to: 'ada@example.com', language: 'en', state: 'sent', detail: '' },
        { to: 'bo@example.org', language: 'de', state: 'rejected', detail: 'on the suppression list' },
      ],
    })
    const dialog = await open(user)
    expect(dialog.getByLabelText('To')).toHaveValue('ada@example.com')
    await user.type(dialog.getByLabelText('To'), ',bo@example.org{Enter}cy@example.org;')
    expect(dialog.getByLabelText('Version')).toHaveValue('en')
    await user.selectOptions(dialog.getByLabelText('Version'), 'All languages')
    await user.click(dialog.getByRole('button', { name: 'Send' }))
    const results = within(await dialog.findByRole('list', { name: 'What became of the tests' }))
    const [first, second] = results.getAllByRole('listitem')
    expect(first).toHaveTextContent(/ada@example.com.*English.*Sent/)
    expect(second).toHaveTextContent(/bo@example.org.*Deutsch.*Failed.*on the suppression list/)
    expect(requests.find(({ call }) => call === TEST)?.body).toEqual({
      kind: 'broadcast',
      subject: 'Half a letter',
      htmlBody: '<p>Half</p>',
      language: 'en',
      versions: { de: { subject: 'Neues', htmlBody: 'Neues' } },
      replyTo: '',
      to: ['ada@example.com', 'bo@example.org', 'cy@example.org'],
      only: '',
    })
  })

  it('names all addresses that are none, and what is wrong with the text', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/email-broadcast', {
      ...office,
      [TEST]: new Refusal(422, 'No.', { 'to.0': 'No address.', 'to.2': 'No address.', htmlBody: 'There is no {{x}}.' }),
    })
    const dialog = await open(user)
    const to = dialog.getByLabelText('To')
    const send = () => user.click(dialog.getByRole('button', { name: 'Send' }))
    expect(dialog.queryByLabelText('Version')).toBeNull()
    await user.clear(to)
    await send()
    expect(to).toHaveAccessibleDescription(/This field is required\./)
    await user.type(to, 'x\nbo@example.org, y')
    await send()
    expect(await dialog.findByText('There is no {{x}}.')).toBeVisible()
    expect(to).toHaveAccessibleDescription(/Not an email address: x, y/)
    await user.clear(to)
    await user.type(to, Array.from({ length: 11 }, (_, number) => `r${number}@example.org`).join(','))
    await send()
    expect(to).toHaveAccessibleDescription(/At most 10 addresses at once\./)
    expect(requests.filter(({ call }) => call === TEST)).toHaveLength(1)
  })
})
