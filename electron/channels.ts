/** The two channels between the preload and the main process. */
export const FROM_PAGE = 'patchbay:from-page'
export const TO_PAGE = 'patchbay:to-page'
