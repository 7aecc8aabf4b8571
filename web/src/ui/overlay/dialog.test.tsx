import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { Input } from '../form/field'
import { Dialog, DialogContent } from './dialog'
import { Drawer } from './drawer'
import { Menu, MenuContent, MenuItem, MenuTrigger } from './menu'

const texts = { ask: 'Ask', more: 'More', field: 'Field', elsewhere: 'Elsewhere', title: 'Question' }

function Page({ drawer = false }) {
  const [open, setOpen] = useState(false)
  const leave = () => {
    setOpen(false)
    requestAnimationFrame(() => document.getElementById('elsewhere')?.focus())
  }
  const content = (
    <>
      <Input autoFocus aria-label={texts.field} />
      <button type="button" onClick={leave}>
        {texts.elsewhere}
      </button>
    </>
  )
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {texts.ask}
      </button>
      <Menu>
        <MenuTrigger>{texts.more}</MenuTrigger>
        <MenuContent>
          <MenuItem onSelect={() => setOpen(true)}>{texts.ask}</MenuItem>
        </MenuContent>
      </Menu>
      <h1 id="elsewhere" tabIndex={-1}>
        {texts.elsewhere}
      </h1>
      {drawer ? (
        <Drawer open={open} onOpenChange={setOpen} title={texts.title}>
          {content}
        </Drawer>
      ) : (
        <Dialog open={open} onOpenChange={setOpen}>
          <DialogContent title={texts.title}>{content}</DialogContent>
        </Dialog>
      )}
    </>
  )
}

it.each([
  ['a dialog', false],
  ['a drawer', true],
])('%s gives the focus back to the button that opened it', async (_, drawer) => {
  const user = userEvent.setup()
  render(<Page drawer={drawer} />)
  const ask = screen.getByRole('button', { name: 'Ask' })
  await user.click(ask)
  expect(await screen.findByRole('textbox', { name: 'Field' })).toHaveFocus()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(ask).toHaveFocus())
})

it('gives the focus back to the button of the menu from which it was opened', async () => {
  const user = userEvent.setup()
  render(<Page />)
  const more = screen.getByRole('button', { name: 'More' })
  await user.click(more)
  await user.click(await screen.findByRole('menuitem', { name: 'Ask' }))
  expect(await screen.findByRole('textbox', { name: 'Field' })).toHaveFocus()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(more).toHaveFocus())
})

it('leaves the focus where somebody put it meanwhile', async () => {
  const user = userEvent.setup()
  render(<Page drawer />)
  await user.click(screen.getByRole('button', { name: 'Ask' }))
  await user.click(await screen.findByRole('button', { name: 'Elsewhere' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Elsewhere' })).toHaveFocus())
})
