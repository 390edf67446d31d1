/**
 * The time zones of area codes, and the states of area codes with stricter legal hours than their country. From the
 * data of Google's libphonenumber (Apache-2.0). An area code in two time zones has both.
 */

/** By calling code, the area codes of each time zone. */
export const AREA_ZONES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  1: {
    'America/Adak America/Anchorage': '907',
    'America/Anguilla': '264',
    'America/Antigua': '268',
    'America/Barbados': '246',
    'America/Boise America/Los_Angeles': '208 458 541 986',
    'America/Cayman': '345',
    'America/Chicago':
      '205 210 214 217 218 224 225 228 235 251 254 256 262 274 281 309 312 314 316 318 319 320 325 327 331 334 ' +
      '337 346 353 361 402 405 409 414 417 430 432 447 464 469 479 501 504 507 512 515 531 534 539 557 563 572 ' +
      '573 580 601 608 612 615 618 629 630 636 641 651 659 660 662 682 689 708 712 713 715 726 730 731 737 763 ' +
      '769 773 779 806 815 816 817 830 832 847 870 872 901 903 913 918 920 931 936 938 940 945 952 956 972 975 ' +
      '979 985',
    'America/Chicago America/Denver': '308 605 620 701 785',
    'America/Chicago America/New_York': '270 364 423 574 606 812 850 906 930',
    'America/Denver': '303 307 385 406 435 505 575 719 720 748 801 915 970 983',
    'America/Dominica': '767',
    'America/Edmonton': '368 403 587 780 825',
    'America/Fort_Nelson': '867',
    'America/Grand_Turk': '649',
    'America/Grenada': '473',
    'America/Halifax': '428 506 782 902',
    'America/Jamaica': '658 876',
    'America/Los_Angeles':
      '206 209 213 253 279 310 323 341 350 360 369 408 415 424 425 442 503 509 510 530 559 562 564 619 626 628 ' +
      '650 657 661 669 702 707 714 725 738 747 760 775 805 818 820 831 840 858 909 916 925 949 951 971',
    'America/Lower_Princes': '721',
    'America/Montserrat': '664',
    'America/Nassau': '242',
    'America/New_York':
      '201 202 203 207 212 215 216 219 220 223 227 229 231 234 239 240 248 252 260 267 269 272 276 283 301 302 ' +
      '304 305 313 315 317 321 324 326 329 330 332 336 339 347 351 352 363 380 386 401 404 407 410 412 413 419 ' +
      '434 440 443 445 448 463 470 472 475 478 484 502 508 513 516 517 518 540 551 561 567 570 571 582 585 586 ' +
      '603 607 609 610 614 616 617 631 640 645 646 656 667 678 680 681 686 703 704 706 716 717 718 724 727 728 ' +
      '732 734 740 743 754 757 762 765 770 771 772 774 781 786 802 803 804 810 813 814 821 826 828 835 838 839 ' +
      '843 845 848 854 856 857 859 860 862 863 864 865 878 904 908 910 912 914 917 919 929 934 937 941 943 947 ' +
      '948 954 959 973 978 980 984 989',
    'America/Phoenix': '480 520 602 623 928',
    'America/Port_of_Spain': '868',
    'America/Puerto_Rico': '787 939',
    'America/Puerto_Rico America/St_Johns': '709 879',
    'America/Regina': '306 639',
    'America/Santo_Domingo': '809 829 849',
    'America/St_Kitts': '869',
    'America/St_Lucia': '758',
    'America/St_Thomas': '340',
    'America/St_Vincent': '784',
    'America/Toronto':
      '226 249 263 289 343 354 365 367 382 416 418 437 438 450 468 514 519 548 579 581 613 647 683 705 742 753 ' +
      '807 819 873 905 942',
    'America/Tortola': '284',
    'America/Vancouver': '236 250 257 604 672 778',
    'America/Winnipeg': '204 431 474 584',
    'Atlantic/Bermuda': '441',
    'Pacific/Guam': '671',
    'Pacific/Honolulu': '808',
    'Pacific/Pago_Pago': '684',
    'Pacific/Saipan': '670',
  },
  52: {
    'America/Cancun': '983 984 987 998',
    'America/Ciudad_Juarez': '656',
    'America/Matamoros': '867 877 878 894 899',
    'America/Mazatlan':
      '311 319 323 324 325 327 389 612 613 614 615 620 621 622 623 624 625 627 628 629 630 631 632 633 634 635 ' +
      '636 637 638 639 640 641 642 643 644 645 647 648 651 652 653 657 659 660 662 667 668 669 672 673 687 690 ' +
      '691 692 693 694 695 696 697 698 699',
    'America/Mazatlan America/Mexico_City': '649',
    'America/Ojinaga': '626',
    'America/Tijuana': '616 646 658 661 664 665 686',
  },
  55: {
    'America/Manaus': '65 66 67 69 95 97',
    'America/Noronha': '81',
    'America/Rio_Branco': '68',
  },
};

export const AREA_STATES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  US: {
    AL: '205 251 256 334 659 938',
    CT: '203 475 860 959',
    FL: '239 305 321 324 352 386 407 448 561 645 656 689 727 728 754 772 786 813 850 863 904 941 954',
    KY: '270 364 502 606 859',
    LA: '225 318 337 504 985',
    MA: '339 351 413 508 617 774 781 857 978',
    MD: '227 240 301 410 443 667',
    MI: '231 248 269 313 517 586 616 734 810 906 947 989',
    MN: '218 320 507 612 651 763 952',
    MS: '228 601 662 769',
    NM: '505 575',
    NV: '702 725 775',
    OK: '405 539 572 580 918',
    RI: '401',
    TX:
      '210 214 254 281 325 346 361 409 430 432 469 512 682 713 726 737 806 817 830 832 903 915 936 940 945 956 ' +
      '972 979',
    WA: '206 253 360 425 509 564',
  },
};
