import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.css'
import '@mantine/charts/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import './global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { config } from 'zod'
import { App } from './app.tsx'
import { keepFocus } from './components/dialog/keep-focus.ts'

// The content security policy forbids code made from text, which zod would make for speed.
config({ jitless: true })
keepFocus()
/** The failure after which the page was loaded again last; it names the file. */
const RELOADED = 'reloaded'

refuseStrayFiles()
reloadForNewPage()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)

/** Keeps the page when files are dropped beside a drop zone: a browser would open them in its place. */
function refuseStrayFiles(): void {
  for (const type of ['dragover', 'drop'] as const) {
    window.addEventListener(type, (event) => {
      const { dataTransfer } = event
      if (event.defaultPrevented || dataTransfer?.types.includes('Files') !== true) return
      event.preventDefault()
      dataTransfer.dropEffect = 'none'
    })
  }
}

/**
 * Loads the page again when a screen cannot be loaded: the server has been updated since, and has other files. Once for a
 * file, so that a server that has lost them does not keep the page loading; and only from a server that answers, or the browser would
 * show a page of its own.
 */
function reloadForNewPage(): void {
  window.addEventListener('vite:preloadError', async ({ payload: { message } }) => {
    if (sessionStorage.getItem(RELOADED) === message) return
    const answer = await fetch(location.pathname, { method: 'HEAD' }).catch(() => null)
    if (answer?.ok !== true) return
    sessionStorage.setItem(RELOADED, message)
    location.reload()
  })
}
