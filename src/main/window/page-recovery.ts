import { app, type BrowserWindow, dialog } from 'electron'
import { BackOff } from '../back-off.ts'
import { text } from '../strings.ts'

const words = text.page

/** Consecutive exits after which a dialog is shown. */
const MOST_ENDS = 4

const RELOAD = 0
const QUIT = 1

/**
 * Loads a page, and reloads it with increasing delays whenever its process exits: it may have crashed,
 * or been killed when memory ran out. After repeated exits it asks the person.
 */
export function keepLoaded(window: BrowserWindow, address: string): void {
  const backOff = new BackOff()
  /** Whether the page is known to be gone: a crash while loading is reported twice. */
  let isGone = false
  let timer: NodeJS.Timeout | undefined

  const load = () => {
    if (window.isDestroyed()) return
    isGone = false
    backOff.up()
    window.loadURL(address).catch((error: unknown) => {
      // Navigated to another address, such as itself again.
      if (!String(error).includes('ERR_ABORTED')) gone(String(error))
    })
  }
  const gone = (reason: string) => {
    if (isGone || window.isDestroyed()) return
    isGone = true
    const ends = backOff.failed()
    process.stderr.write(`${words.exited(reason)}\n`)
    if (ends < MOST_ENDS) timer = setTimeout(load, backOff.delay)
    else void ask()
  }
  const ask = async () => {
    backOff.forget()
    if ((await askPerson()) === QUIT) app.quit()
    else load()
  }

  window.webContents.on('render-process-gone', (_, { reason }) => gone(reason))
  window.once('closed', () => {
    clearTimeout(timer)
    backOff.down()
  })
  load()
}

async function askPerson(): Promise<number> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: words.title,
    message: words.message,
    detail: words.detail(MOST_ENDS),
    buttons: [words.reload, words.quit],
    defaultId: RELOAD,
    cancelId: RELOAD,
    noLink: true,
  })
  return response
}
