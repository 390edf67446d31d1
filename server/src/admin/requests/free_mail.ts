/** Email providers that anyone can sign up with. The list is a hint for operators and need not be complete. */
const PROVIDERS = new Set(
  `126.com 163.com aol.com bk.ru fastmail.com free.fr freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net
   googlemail.com hey.com hotmail.co.uk hotmail.com hotmail.de hotmail.fr hotmail.it icloud.com inbox.ru
   laposte.net libero.it list.ru live.com live.co.uk mac.com mail.com mail.ru me.com msn.com naver.com orange.fr
   outlook.com outlook.de outlook.fr pm.me proton.me protonmail.com qq.com rambler.ru rediffmail.com seznam.cz
   t-online.de tuta.com tutanota.com web.de wp.pl ya.ru yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.de
   yahoo.fr yahoo.it yandex.com yandex.ru ymail.com zoho.com zohomail.com`.split(/\s+/),
);

export const isFreeMail = (domain: string): boolean => PROVIDERS.has(domain.toLowerCase());
