// For programs outside of test/, whose folder has the package.
export { type Browser, chromium } from 'playwright'
